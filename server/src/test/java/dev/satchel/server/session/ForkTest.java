package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Sessions that begin with a part of another. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Dialect.class)
class ForkTest {
    private final Dialect dialect;
    private SharedDisk disk;
    private String session;

    ForkTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start(dialect);
        session = disk.create();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void aForkFromAMessageHasItsPathAndTheFilesOfThen() throws Exception {
        turn(session, Map.of("message", "one"), "first", Map.of("a.txt", "1"));
        turn(session, Map.of("message", "two"), "second", Map.of("a.txt", "2", "b.txt", "2"));
        String first = ids(session).get(1);
        String second = ids(session).get(3);
        Map<String, Object> edit = Map.of("message", "two, better", "parentMessageId", first);
        turn(session, edit, "second, better", Map.of("c.txt", "better"));

        String middle = fork(Map.of("messageId", first));
        assertThat(texts(middle)).containsExactly("one", "first");
        assertThat(files(middle)).isEqualTo(Map.of("a.txt", "1"));
        String other = fork(Map.of("messageId", second));
        assertThat(texts(other)).containsExactly("one", "first", "two", "second");
        assertThat(files(other)).isEqualTo(Map.of("a.txt", "2", "b.txt", "2"));
        String head = fork(Map.of());
        assertThat(texts(head)).containsExactly("one", "first", "two, better", "second, better");
        assertThat(files(head)).isEqualTo(Map.of("a.txt", "1", "c.txt", "better"));
        assertThat(texts(session)).isEqualTo(texts(head));
        assertThat(files(session)).isEqualTo(files(head));
    }

    @Test
    void aForkFromAMessageOfTheUserHasTheFilesThatItsRunWasGiven() throws Exception {
        turn(session, Map.of("message", "one"), "first", Map.of("a.txt", "1"));
        turn(session, Map.of("message", "two"), "second", Map.of("a.txt", "2"));

        String fork = fork(Map.of("messageId", ids(session).get(2)));
        assertThat(texts(fork)).containsExactly("one", "first", "two");
        assertThat(files(fork)).isEqualTo(Map.of("a.txt", "1"));
        String beginning = fork(Map.of("messageId", ids(session).getFirst()));
        assertThat(files(beginning)).isEmpty();
    }

    @Test
    void aForkHasWhatItsPathAttached() throws Exception {
        String one = attach("one.txt");
        attach("unsent.txt");
        turn(session, Map.of("message", "one", "attachmentIds", List.of(one)), "first", Map.of());
        String two = attach("two.txt");
        turn(session, Map.of("message", "two", "attachmentIds", List.of(two)), "second", Map.of());

        String fork = fork(Map.of("messageId", ids(session).get(1)));

        assertThat(bag(fork)).containsExactlyInAnyOrder("one.txt", "unsent.txt");
        assertThat(disk.post(fork, "resume").statusCode()).isEqualTo(200);
        assertThat(turn(fork, Map.of("message", "on"), "done", Map.of()).keySet())
                .containsExactlyInAnyOrder("one.txt", "unsent.txt");
    }

    @Test
    void whatCannotBeForkedIsRefused() throws Exception {
        turn(session, Map.of("message", "one"), "first", Map.of("a.txt", "1"));

        assertThat(tryFork(Map.of("messageId", "unknown")).statusCode()).isEqualTo(404);
        assertThat(tryFork(Map.of("messageId", "not an id!")).statusCode()).isEqualTo(404);
        assertThat(tryFork(Map.of("messageId", List.of())).statusCode()).isEqualTo(400);
        try (Events events = disk.send(session, "go on")) {
            RunOnStage run = disk.sandbox().next();
            assertThat(tryFork(Map.of("messageId", ids(session).getFirst())).statusCode())
                    .isEqualTo(409);
            run.answers("done");
            events.rest();
        }
        assertThat(disk.server().getJson("/api/sessions").get("sessions")).hasSize(1);
    }

    /** Returns the files that the run found; it writes some. */
    private Map<String, String> turn(
            String chat, Map<String, ?> body, String answer, Map<String, String> written)
            throws Exception {
        Map<String, Object> inChat = new LinkedHashMap<>(body);
        inChat.put("chatId", chat);
        try (Events events = disk.server().turn(inChat)) {
            assertThat(events.status()).isEqualTo(200);
            RunOnStage run = disk.sandbox().next();
            Map<String, String> given = files(chat);
            for (Map.Entry<String, String> file : written.entrySet()) {
                disk.write(chat, file.getKey(), file.getValue());
            }
            run.answers(answer);
            events.rest();
            return given;
        }
    }

    private String attach(String name) throws Exception {
        String path = "/api/sessions/" + session + "/attachments";
        HttpResponse<String> added =
                disk.server().post(path, Map.of("filename", name, "content", "aGVsbG8="));
        return Json.MAPPER.readTree(added.body()).at("/attachment/id").stringValue();
    }

    private List<String> bag(String chat) throws Exception {
        List<String> names = new ArrayList<>();
        disk.server()
                .getJson("/api/assistant/chats/" + chat + "/files")
                .get("files")
                .forEach(file -> names.add(file.get("name").stringValue()));
        return names;
    }

    private HttpResponse<String> tryFork(Map<String, ?> body) throws Exception {
        return disk.server().post("/api/sessions/" + session + "/fork", body);
    }

    private String fork(Map<String, ?> body) throws Exception {
        HttpResponse<String> forked = tryFork(body);
        assertThat(forked.statusCode()).as(forked.body()).isEqualTo(201);
        return Json.MAPPER.readTree(forked.body()).at("/session/id").stringValue();
    }

    private List<String> ids(String chat) throws Exception {
        return messages(chat).stream().map(it -> it.get("id").stringValue()).toList();
    }

    private List<String> texts(String chat) throws Exception {
        return messages(chat).stream().map(it -> it.at("/content/0/text").stringValue()).toList();
    }

    private List<JsonNode> messages(String chat) throws Exception {
        List<JsonNode> messages = new ArrayList<>();
        disk.server()
                .getJson("/api/assistant/chats/" + chat)
                .get("messages")
                .forEach(messages::add);
        return messages;
    }

    /** The contents by the paths, of whatever is read of the session now. */
    private Map<String, String> files(String chat) throws Exception {
        HttpResponse<String> listed = disk.server().get("/api/sessions/" + chat + "/files");
        Map<String, String> files = new TreeMap<>();
        if (listed.statusCode() != 404) {
            for (JsonNode file : Json.MAPPER.readTree(listed.body()).get("files")) {
                String path = file.get("path").stringValue();
                files.put(path, disk.file(chat, path).body());
            }
        }
        return files;
    }
}
