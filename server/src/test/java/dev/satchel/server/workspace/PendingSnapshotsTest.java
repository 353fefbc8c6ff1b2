package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** One server whose object store is away, and which removes unused workspaces at once. */
@Timeout(120)
class PendingSnapshotsTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @Test
    void anOutageIsOneLineAndNoWorkspaceIsEvictedBeforeItIsSaved(
            @TempDir Path data, @TempDir Path bucket) throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("dev.satchel.server.workspace");
        log.start();
        logger.addAppender(log);
        try (S3ProxyProcess s3 = S3ProxyProcess.start(bucket)) {
            S3Settings direct = s3.newBucket();
            try (DatabaseProxy store =
                            new DatabaseProxy(Objects.requireNonNull(direct.endpoint()));
                    TestServer server = start(data, direct, store)) {
                store.cut();
                String chat = server.newChat();
                Path workspace = data.resolve("runner/workspaces").resolve(chat);
                turn(server, chat, "/sh echo one > f.txt");
                turn(server, chat, "/sh echo two >> f.txt");
                turn(server, chat, "/sh echo three >> f.txt");
                assertThat(workspace.resolve("f.txt")).hasContent("one\ntwo\nthree\n");

                store.restore();
                while (Files.exists(workspace)) { // saved, and evicted after that
                    Thread.onSpinWait();
                }
                assertThat(server.get("/api/sessions/" + chat + "/files/f.txt").body())
                        .isEqualTo("one\ntwo\nthree\n");
            }
        } finally {
            logger.detachAppender(log);
        }
        assertThat(warnings(List.copyOf(log.list)))
                .singleElement()
                .asString()
                .startsWith("the object store is away");
    }

    private static TestServer start(Path data, S3Settings direct, DatabaseProxy store)
            throws Exception {
        S3Settings bucket =
                new S3Settings(
                        direct.bucket(),
                        direct.region(),
                        store.url(),
                        direct.pathStyle(),
                        direct.plainUploads(),
                        direct.credentials());
        return TestServer.start(
                TestConfiguration.withIdleWorkspace(
                        TestConfiguration.withBucket(
                                TestConfiguration.withSandbox(
                                        TestServer.configuration(data, null, null),
                                        TestConfiguration.embedded()),
                                bucket),
                        SOON),
                Clock.systemUTC());
    }

    private static void turn(TestServer server, String chat, String message) throws Exception {
        try (Events events = server.turn(Map.of("message", message, "chatId", chat))) {
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    private static List<String> warnings(List<ILoggingEvent> events) {
        return events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
