package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The outputs of runs in real sandboxes: all of them arrive or are named. */
class OutputsTest {
    private static final long MIB = 1 << 20;

    @TempDir Path data;

    private TestServer start(BagLimits limits) throws Exception {
        Configuration plain = TestServer.configuration(data, null, null);
        return TestServer.start(
                TestConfiguration.withBags(
                        TestConfiguration.withSandbox(plain, TestConfiguration.embedded()), limits),
                Clock.systemUTC());
    }

    private static JsonNode turn(TestServer server, String chat, String command) throws Exception {
        try (Events events = server.turn(Map.of("message", "/sh " + command, "chatId", chat))) {
            return events.rest().stream()
                    .map(Events.Event::data)
                    .filter(event -> event.get("type").stringValue().equals("result"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Stream<String> values(JsonNode files, String field) {
        return files.valueStream().map(file -> file.get(field).stringValue());
    }

    @Test
    void manyFilesALargeOneAndAFullBag() throws Exception {
        try (TestServer server = start(new BagLimits(100 * MIB, 10_000, 90 * MIB, 1_000))) {
            String chat = server.newChat();
            JsonNode many =
                    turn(
                            server,
                            chat,
                            "mkdir -p assets/d && cd assets/d && seq 10001 11500 | split -l 1 -a 4 -");
            assertThat(many.get("files")).hasSize(1_000);
            assertThat(many.get("notHandedOver")).hasSize(500);
            assertThat(many.at("/notHandedOver/0/reason").stringValue())
                    .isEqualTo("a run may hand in 1000 files");

            JsonNode rest = turn(server, chat, "head -c 62914560 /dev/zero > assets/film.bin");
            assertThat(rest.get("files")).hasSize(501);
            assertThat(rest.has("notHandedOver")).isFalse();

            JsonNode full =
                    turn(
                            server,
                            chat,
                            "head -c 62914560 /dev/zero | tr '\\0' x > assets/second.bin; echo fits >"
                                    + " assets/small.txt");
            assertThat(values(full.get("files"), "path")).containsExactly("small.txt");
            assertThat(values(full.get("notHandedOver"), "path"))
                    .containsExactly("assets/second.bin");
            HttpRequest end =
                    server.request("/api/sessions/" + chat + "/files/assets/second.bin")
                            .header("Range", "bytes=62914557-")
                            .build();
            assertThat(server.send(end).body()).isEqualTo("xxx");
            JsonNode messages = server.getJson("/api/assistant/chats/" + chat).get("messages");
            assertThat(messages.at("/5/notHandedOver")).isEqualTo(full.get("notHandedOver"));

            JsonNode later = turn(server, chat, "true");
            assertThat(later.get("files")).isEmpty();
            assertThat(later.has("notHandedOver")).isFalse();
        }
    }

    @Test
    void foldersAndLinksAndVersions() throws Exception {
        try (TestServer server = start(new BagLimits(MIB, 100, 10 * MIB))) {
            String chat = server.newChat();
            JsonNode first =
                    turn(
                            server,
                            chat,
                            "mkdir -p assets/charts; echo one > assets/charts/a.txt; echo inside >"
                                    + " note; ln -s ../note assets/note.txt; ln -s /etc/passwd"
                                    + " assets/secret; ln -s charts assets/folder");
            assertThat(values(first.get("files"), "path"))
                    .containsExactlyInAnyOrder("charts/a.txt", "note.txt");
            assertThat(values(first.get("notHandedOver"), "path"))
                    .containsExactly("assets/folder", "assets/secret");
            JsonNode second = turn(server, chat, "echo two > assets/charts/a.txt; ls");
            assertThat(values(second.get("files"), "name")).containsExactly("a.txt");
            assertThat(second.has("notHandedOver")).isFalse();
            String files = "/api/assistant/chats/" + chat + "/files";
            assertThat(server.getJson(files).get("files")).hasSize(2);
            assertThat(server.getJson(files + "?versions=true").get("files")).hasSize(3);
            JsonNode third = turn(server, chat, "echo changed > note");
            assertThat(values(third.get("files"), "path")).containsExactly("note.txt");
        }
    }

    @Test
    void whatACancelledRunLeftIsHandedInByTheNext() throws Exception {
        try (TestServer server = start(new BagLimits(MIB, 100, 10 * MIB))) {
            String chat = server.newChat();
            turn(server, chat, "mkdir assets; echo 1 > assets/a.txt; echo 1 > assets/same.txt");
            Path assets = data.resolve("runner/workspaces").resolve(chat).resolve("assets");
            try (WatchService created = assets.getFileSystem().newWatchService()) {
                assets.register(created, StandardWatchEventKinds.ENTRY_CREATE);
                String command = "/sh echo 2 > assets/a.txt; echo new > assets/b.txt; sleep 100";
                try (Events _ = server.turn(Map.of("message", command, "chatId", chat))) {
                    assertThat(created.poll(30, TimeUnit.SECONDS)).isNotNull();
                    server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());
                }
            }
            JsonNode next = turn(server, chat, "true");
            assertThat(values(next.get("files"), "path"))
                    .containsExactlyInAnyOrder("a.txt", "b.txt");
        }
    }
}
