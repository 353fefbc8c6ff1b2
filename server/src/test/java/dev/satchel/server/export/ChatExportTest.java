package dev.satchel.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ChatExportTest extends ScriptedTest {
    @Test
    void markdownHasWhatWasSaidAndDone() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "rules.txt", "be kind").get("id").stringValue();
        Map<String, ?> turn =
                Map.of("chatId", chat, "message", "Count\nthem", "attachmentIds", List.of(file));
        try (TestServer.Events events = server.turn(turn)) {
            sandbox.next()
                    .say(
                            "{\"type\":\"step\",\"id\":\"a\",\"name\":\"sh\",\"status\":\"running\","
                                    + "\"args\":{\"command\":\"wc `ls`\"}}")
                    .say(
                            "{\"type\":\"step\",\"id\":\"a\",\"name\":\"sh\",\"status\":\"failed\","
                                    + "\"error\":\"no\",\"durationMs\":1}")
                    .answers("There are **two**.");
            events.rest();
        }

        HttpResponse<String> answer = server.get(path(chat, "md"));

        assertThat(answer.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"chat-" + chat + ".md\"");
        assertThat(answer.body().replaceAll(", \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC", ", then"))
                .isEqualTo(
                        """
                        # Count

                        ## You, then

                        Count
                        them

                        Files:

                        - `rules.txt`

                        ## Satchel, then

                        - `sh` `` wc `ls` `` (failed)

                        There are **two**.
                        """);
    }

    @Test
    void archiveHasAllMessagesInOrderAndTheFiles() throws Exception {
        String chat = server.newChat();
        for (int turn = 1; turn <= 51; turn++) {
            say(chat, "question " + turn, "answer " + turn);
        }
        server.upload(chat, "rules.txt", "be kind");

        Map<String, String> entries = archive(chat);

        assertThat(entries).containsOnlyKeys("chat.md", "messages.json", "files/rules.txt");
        assertThat(entries.get("files/rules.txt")).isEqualTo("be kind");
        List<String> texts = texts(Json.MAPPER.readTree(entries.get("messages.json")));
        assertThat(texts)
                .isEqualTo(
                        IntStream.rangeClosed(1, 51)
                                .boxed()
                                .flatMap(i -> List.of("question " + i, "answer " + i).stream())
                                .toList());
        assertThat(entries.get("chat.md")).containsSubsequence(texts);
    }

    @Test
    void chatWithoutMessagesIsItsTitle() throws Exception {
        assertThat(server.get(path(server.newChat(), "md")).body()).isEqualTo("# Chat\n");
    }

    @Test
    void chatOfAnotherPersonIsUnknownAndFilesNeedTheirScope() throws Exception {
        try (TestPeople people = TestPeople.start(Dialect.SQLITE, null)) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person bob = people.add("default", UserRole.MEMBER);
            HttpResponse<String> made =
                    people.server()
                            .send(
                                    people.server()
                                            .request("/api/assistant/chats")
                                            .setHeader("Authorization", "Bearer " + ann.key())
                                            .header("Content-Type", "application/json")
                                            .POST(BodyPublishers.ofString("{}"))
                                            .build());
            String chat = Json.MAPPER.readTree(made.body()).get("id").stringValue();
            String chatOnly = people.key("default", ann.id(), "chat");

            assertThat(status(people, bob.key(), path(chat, "md"))).isEqualTo(404);
            assertThat(status(people, bob.key(), path(chat, "zip"))).isEqualTo(404);
            assertThat(status(people, chatOnly, path(chat, "md"))).isEqualTo(200);
            assertThat(status(people, chatOnly, path(chat, "zip"))).isEqualTo(403);
        }
    }

    private static int status(TestPeople people, String key, String path) throws Exception {
        return people.server().sendAs(key, "GET", path).statusCode();
    }

    private static String path(String chat, String ending) {
        return "/api/assistant/chats/" + chat + "/export." + ending;
    }

    private void say(String chat, String question, String answer) throws Exception {
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", question))) {
            sandbox.next().answers(answer);
            events.rest();
        }
    }

    private static List<String> texts(JsonNode messages) {
        return messages.valueStream()
                .map(message -> message.at("/content/0/text").stringValue())
                .toList();
    }

    private Map<String, String> archive(String chat) throws Exception {
        Map<String, String> entries = new LinkedHashMap<>();
        try (HttpClient client = CheckedHttpClient.http11()) {
            HttpResponse<InputStream> answer =
                    client.send(
                            server.request(path(chat, "zip")).build(),
                            BodyHandlers.ofInputStream());
            try (ZipInputStream zip = new ZipInputStream(answer.body())) {
                for (ZipEntry entry = zip.getNextEntry();
                        entry != null;
                        entry = zip.getNextEntry()) {
                    entries.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
                }
            }
        }
        return entries;
    }
}
