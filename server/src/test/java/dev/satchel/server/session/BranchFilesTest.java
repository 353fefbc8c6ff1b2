package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The files of a workspace follow the head of its thread. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Dialect.class)
class BranchFilesTest {
    private final Dialect dialect;

    BranchFilesTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @Test
    void anEditBeginsWithTheFilesOfTheMessageBeforeAndASwitchBringsThemBack() throws Exception {
        try (SharedDisk disk = SharedDisk.start(dialect)) {
            String chat = disk.create();
            turn(disk, chat, Map.of("message", "one"), Map.of("a.txt", "one"));
            turn(
                    disk,
                    chat,
                    Map.of("message", "two"),
                    Map.of("a.txt", "two", "made/by/two.txt", "2"));
            Map<String, String> before = files(disk, chat);
            String first = ids(disk, chat).get(1);
            String second = ids(disk, chat).get(3);

            Map<String, String> given =
                    turn(
                            disk,
                            chat,
                            Map.of("message", "two, better", "parentMessageId", first),
                            Map.of("b.txt", "better"));
            assertThat(given).isEqualTo(Map.of("a.txt", "one"));
            assertThat(files(disk, chat)).isEqualTo(Map.of("a.txt", "one", "b.txt", "better"));

            disk.write(chat, "late.txt", "after the turn"); // kept, though no run saved it
            String better = ids(disk, chat).getLast();
            switchTo(disk, chat, second);
            assertThat(files(disk, chat)).isEqualTo(before);
            switchTo(disk, chat, better);
            assertThat(files(disk, chat))
                    .isEqualTo(
                            Map.of(
                                    "a.txt", "one",
                                    "b.txt", "better",
                                    "late.txt", "after the turn"));
            switchTo(disk, chat, second);
            assertThat(files(disk, chat)).isEqualTo(before);
        }
    }

    @Test
    void anAnswerIsMadeAgainFromTheFilesThatTheFirstOneWasGiven() throws Exception {
        try (SharedDisk disk = SharedDisk.start(dialect)) {
            String chat = disk.create();
            turn(disk, chat, Map.of("message", "one"), Map.of("a.txt", "one"));
            turn(disk, chat, Map.of("message", "two"), Map.of("a.txt", "spoiled"));
            String two = ids(disk, chat).get(2);

            Map<String, String> given =
                    turn(
                            disk,
                            chat,
                            Map.of("userMessageId", two, "regenerate", true),
                            Map.of("c.txt", "good"));

            assertThat(given).isEqualTo(Map.of("a.txt", "one"));
            assertThat(files(disk, chat)).isEqualTo(Map.of("a.txt", "one", "c.txt", "good"));
            Map<String, String> first =
                    turn(
                            disk,
                            chat,
                            Map.of("userMessageId", ids(disk, chat).getFirst(), "regenerate", true),
                            Map.of());
            assertThat(first).isEmpty();
        }
    }

    @Test
    void aRefusedTurnLeavesHeadAndFiles() throws Exception {
        try (SharedDisk disk = SharedDisk.start(dialect)) {
            String chat = disk.create();
            turn(disk, chat, Map.of("message", "one"), Map.of("a.txt", "one"));
            turn(disk, chat, Map.of("message", "two"), Map.of("a.txt", "two"));
            List<String> ids = ids(disk, chat);

            Map<String, Object> bad = new LinkedHashMap<>();
            bad.put("chatId", chat);
            bad.put("message", "x");
            bad.put("parentMessageId", ids.get(1));
            bad.put("userMessageId", ids.get(0)); // in use
            assertThat(disk.server().post("/api/assistant/chat/stream", bad).statusCode())
                    .isEqualTo(409);
            assertThat(ids(disk, chat)).isEqualTo(ids);
            assertThat(files(disk, chat)).isEqualTo(Map.of("a.txt", "two"));
        }
    }

    /** Returns the files that the run found; it writes some. */
    private static Map<String, String> turn(
            SharedDisk disk, String chat, Map<String, ?> body, Map<String, String> written)
            throws Exception {
        Map<String, Object> inChat = new LinkedHashMap<>(body);
        inChat.put("chatId", chat);
        try (Events events = disk.server().turn(inChat)) {
            assertThat(events.status()).isEqualTo(200);
            RunOnStage run = disk.sandbox().next();
            Map<String, String> given = files(disk, chat);
            for (Map.Entry<String, String> file : written.entrySet()) {
                disk.write(chat, file.getKey(), file.getValue());
            }
            run.answers("done");
            events.rest();
            return given;
        }
    }

    private static void switchTo(SharedDisk disk, String chat, String message) throws Exception {
        HttpResponse<String> switched =
                disk.server()
                        .post(
                                "/api/assistant/chats/" + chat + "/head",
                                Map.of("messageId", message));
        assertThat(switched.statusCode()).isEqualTo(200);
        assertThat(Json.MAPPER.readTree(switched.body()).get("headId").stringValue())
                .isEqualTo(message);
    }

    private static List<String> ids(SharedDisk disk, String chat) throws Exception {
        List<String> ids = new ArrayList<>();
        for (JsonNode message :
                disk.server().getJson("/api/assistant/chats/" + chat).get("messages")) {
            ids.add(message.get("id").stringValue());
        }
        return ids;
    }

    private static Map<String, String> files(SharedDisk disk, String chat) throws IOException {
        Path root = disk.workspace(chat);
        Map<String, String> files = new TreeMap<>();
        if (Files.isDirectory(root)) {
            try (Stream<Path> all = Files.walk(root)) {
                for (Path file : all.filter(Files::isRegularFile).toList()) {
                    files.put(root.relativize(file).toString(), Files.readString(file));
                }
            }
        }
        return files;
    }
}
