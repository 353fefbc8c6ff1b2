package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** SIGKILL for the server while it deletes chats for good: one sweep leaves nothing of them. */
public final class KilledDeletion implements Scenario {
    private static final int CHATS = 12;

    @Override
    public String name() {
        return "killed-deletion";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites doomed = new AcknowledgedWrites();
        AcknowledgedWrites kept = new AcknowledgedWrites();
        try (ServerUnderTest server = ServerUnderTest.plain(context)) {
            server.start();
            try (TestClient client = server.client()) {
                fill(client, CHATS, doomed, context);
                fill(client, 2, kept, context);
            }
            deleteAndKill(context, server, doomed.chats());
            server.start();
            try (TestClient client = server.client()) {
                for (String chat : doomed.chats()) {
                    client.deleteForGood(chat);
                }
            }
            new InvariantChecks(context.counts()).check(server, kept); // sweeps
            for (String chat : doomed.chats()) {
                List<String> left = pathsOf(server.data(), chat);
                InvariantChecks.require(left.isEmpty(), "left of a deleted chat: " + left);
                context.counts().add("deleted chats of which nothing is left");
            }
        }
    }

    private static void fill(
            TestClient client, int chats, AcknowledgedWrites writes, ScenarioContext context)
            throws IOException, InterruptedException {
        for (int i = 0; i < chats; i++) {
            String chat = client.newChat();
            writes.chat(chat);
            InvariantChecks.require(
                    ClientTraffic.runTurn(client, chat, writes, context.counts()),
                    "a turn failed before anything was broken");
        }
    }

    private static void deleteAndKill(
            ScenarioContext context, ServerUnderTest server, List<String> chats)
            throws InterruptedException {
        AtomicInteger sent = new AtomicInteger();
        Thread deleting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try (TestClient client = server.client()) {
                                        for (String chat : chats) {
                                            sent.incrementAndGet();
                                            client.deleteForGood(chat);
                                        }
                                    } catch (IOException e) {
                                        context.counts().add("deletions that were cut off");
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        FaultTiming.await(() -> sent.get() > CHATS / 4, "no deletion came about");
        Thread.sleep(context.within(Duration.ofMillis(100)));
        server.kill();
        context.counts().add("servers killed");
        deleting.join();
    }

    private static List<String> pathsOf(Path data, String chat) throws IOException {
        try (Stream<Path> paths = Files.walk(data)) {
            return paths.map(Path::toString).filter(path -> path.contains(chat)).toList();
        }
    }
}
