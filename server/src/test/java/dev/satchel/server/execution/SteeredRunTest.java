package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The agent of a real server hears messages while it works. */
@Timeout(180)
class SteeredRunTest {
    private static final String COMMAND = "mkfifo release; echo began; cat release";

    @TempDir Path folder;
    private final List<Event> seen = new ArrayList<>();
    private ScriptedModel model;

    @BeforeEach
    void start() throws IOException {
        model = new ScriptedModel();
    }

    @AfterEach
    void stop() {
        model.close();
    }

    @Test
    void aMessageThatIsSentWhileAToolRunsIsInTheNextRequestOfTheModel() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next().says("I begin.").calls("sh", Map.of("command", COMMAND)).ends();
            read(events, "output");
            assertThat(steer(server, "m-1", "Use metres.")).isEqualTo(202);
            assertThat(steer(server, "m-2", "And hurry.")).isEqualTo(202);
            assertThat(queue(server)).hasSize(2);
            release();

            ScriptedModel.Call second = model.next();
            assertThat(told(second)).containsSubsequence("hello", "Use metres.", "And hurry.");
            second.calls("sh", Map.of("command", "true")).ends();
            ScriptedModel.Call third = model.next();
            assertThat(told(third)).containsOnlyOnce("Use metres.").containsOnlyOnce("And hurry.");
            assertThat(queue(server)).isEmpty();
            third.says("In metres.").ends();
            seen.addAll(events.rest());

            assertThat(blocks(server))
                    .containsExactly(
                            "text",
                            "step",
                            "steer Use metres.",
                            "steer And hurry.",
                            "step",
                            "text",
                            "usage");
            assertThat(queue(server)).isEmpty();
            assertThat(runs(server)).isEqualTo(1);
        }
        assertThat(model.requests()).isEqualTo(3);
    }

    @Test
    void aMessageThatWasHeardBeforeAKillIsNotHeardAgain() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            ScriptedModel.Call first = model.next();
            first.says("I begin.");
            read(events, "delta");
            steer(server, "m-1", "Use metres.");
            first.calls("sh", Map.of("command", "true")).ends();
            assertThat(told(model.next())).containsOnlyOnce("Use metres.");
            read(events, "steer");
            steer(server, "m-2", "And hurry.");
            server.kill();
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            ScriptedModel.Call again = model.next();
            assertThat(told(again)).containsOnlyOnce("Use metres.").containsOnlyOnce("And hurry.");
            again.calls("sh", Map.of("command", "true")).ends();
            ScriptedModel.Call last = model.next();
            assertThat(told(last)).containsOnlyOnce("Use metres.").containsOnlyOnce("And hurry.");
            last.says("In metres.").ends();
            seen.addAll(events.rest());

            assertThat(blocks(server))
                    .filteredOn(block -> block.startsWith("steer"))
                    .containsExactly("steer Use metres.", "steer And hurry.");
            assertThat(queue(server)).isEmpty();
            assertThat(runs(server)).isEqualTo(1);
        }
        assertThat(seen.stream().filter(event -> event.type().equals("steer"))).hasSize(2);
    }

    @Test
    void aMessageAfterTheLastRequestOfATurnGetsATurnOfItsOwn() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            ScriptedModel.Call first = model.next();
            first.says("The answer.");
            read(events, "delta");
            steer(server, "m-1", "Use metres.");
            first.ends();
            seen.addAll(events.rest());

            ScriptedModel.Call second = model.next();
            assertThat(told(second)).containsOnlyOnce("Use metres.");
            assertThat(queue(server)).isEmpty();
            assertThat(runs(server)).isEqualTo(2);
            second.ends();
        }
        assertThat(seen).extracting(Event::type).doesNotContain("steer");
    }

    private ServerProcess server() throws IOException {
        return ServerProcess.start(folder.resolve("data"), model.settings(folder));
    }

    private Events follow(ServerProcess server) throws Exception {
        return server.follow(run(), seen.getLast().id());
    }

    private String run() {
        return seen.getFirst().data().get("runId").stringValue();
    }

    private String chat() {
        return seen.getFirst().data().get("chatId").stringValue();
    }

    private int steer(ServerProcess server, String id, String text) throws Exception {
        Map<String, String> body =
                Map.of("chatId", chat(), "userMessageId", id, "message", text, "whenBusy", "steer");
        return server.send(
                        "POST", "/api/assistant/chat/stream", Json.MAPPER.writeValueAsString(body))
                .statusCode();
    }

    /** Lets the command go on: a pipe is opened when its reader is there. */
    private void release() throws IOException {
        Path pipe;
        try (Stream<Path> files = Files.walk(folder)) {
            pipe = files.filter(file -> file.endsWith("release")).findFirst().orElseThrow();
        }
        Files.writeString(pipe, "go");
    }

    private JsonNode queue(ServerProcess server) throws Exception {
        return get(server, "/api/assistant/chats/" + chat() + "/queue").get("messages");
    }

    private List<JsonNode> messages(ServerProcess server, String role) throws Exception {
        return get(server, "/api/assistant/chats/" + chat())
                .get("messages")
                .valueStream()
                .filter(message -> message.get("role").stringValue().equals(role))
                .toList();
    }

    /** Every message of the person in the thread has a run. */
    private int runs(ServerProcess server) throws Exception {
        return messages(server, "user").size();
    }

    /** The blocks of the first answer. */
    private List<String> blocks(ServerProcess server) throws Exception {
        return messages(server, "assistant")
                .getFirst()
                .get("content")
                .valueStream()
                .map(SteeredRunTest::block)
                .toList();
    }

    private static String block(JsonNode block) {
        String type = block.get("type").stringValue();
        return type.equals("steer") ? type + " " + block.get("text").stringValue() : type;
    }

    private static JsonNode get(ServerProcess server, String path) throws Exception {
        return Json.MAPPER.readTree(server.send("GET", path, "").body());
    }

    private static String told(ScriptedModel.Call call) {
        return call.request().get("messages").toString();
    }

    /** Reads up to an event of a type. */
    private void read(Events events, String type) throws IOException {
        while (seen.isEmpty() || !seen.getLast().type().equals(type)) {
            seen.add(events.next().orElseThrow());
        }
    }
}
