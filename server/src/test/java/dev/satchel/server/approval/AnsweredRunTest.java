package dev.satchel.server.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Turns of a model that asks people, from the ask to the answer. */
@Timeout(180)
class AnsweredRunTest {
    private static final Map<String, String> EFFECT = Map.of("command", "echo done >> effects.txt");
    private static final Map<String, String> SHOW = Map.of("path", "effects.txt");
    private static final Map<String, String> ASK = Map.of("sh", "ask");
    private static final int RACERS = 64;

    @TempDir Path folder;
    private final List<Event> seen = new ArrayList<>();
    private ScriptedModel model;
    private String chat = "";

    @BeforeEach
    void start() throws IOException {
        model = new ScriptedModel();
    }

    @AfterEach
    void stop() {
        model.close();
    }

    @Test
    void anAllowedCommandRunsOnceInTheSameRun() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            turn(server, () -> model.next().says("I clean up.").calls("sh", EFFECT).ends());
            assertThat(status(server)).isEqualTo("waiting");
            assertThat(accepted(server, allow("call_1_0"))).isEqualTo("running");
            requireEffectOnce(server);
        }
        assertThat(types())
                .containsSubsequence("delta", "ask", "end", "resumed", "step", "result", "end");
        assertThat(last("resumed").get("attempt").intValue()).isEqualTo(2);
        assertThat(steps("call_1_0")).containsExactly("running", "succeeded");
        assertThat(textOf("delta")).containsOnlyOnce("I clean up.");
    }

    @Test
    void aDeniedCommandDoesNotRunAndTheModelReadsWhy() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            turn(server, () -> model.next().calls("sh", EFFECT).ends());
            Map<String, String> deny =
                    Map.of("askId", "call_1_0", "decision", "deny", "text", "Not today.");
            assertThat(accepted(server, deny)).isEqualTo("running");
            ScriptedModel.Call next = model.next();
            assertThat(next.request().toString())
                    .contains("The person denied this call. The person says: Not today.");
            next.calls("glob", Map.of("pattern", "*.txt")).ends();
            ScriptedModel.Call last = model.next();
            assertThat(lastResult(last)).doesNotContain("effects.txt");
            last.says("Then not.").ends();
            follow(server);
        }
        assertThat(steps("call_1_0")).containsExactly("running", "failed");
        assertThat(last("result").get("message").stringValue()).isEqualTo("Then not.");
    }

    @Test
    void twoAsksOfOneReplyAreAnsweredOneByOne() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            turn(server, () -> model.next().calls("sh", EFFECT).calls("sh", EFFECT).ends());
            assertThat(accepted(server, allow("call_1_1"))).isEqualTo("waiting");
            assertThat(model.requests()).isEqualTo(1);
            Map<String, String> deny = Map.of("askId", "call_1_0", "decision", "deny");
            assertThat(accepted(server, deny)).isEqualTo("running");
            requireEffectOnce(server);
        }
        assertThat(steps("call_1_0")).containsExactly("running", "failed");
        assertThat(steps("call_1_1")).containsExactly("running", "succeeded");
    }

    @Test
    void questionsAreAnsweredWithAnOptionOrFreeText() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            Map<String, Object> options =
                    Map.of("question", "Which year?", "options", List.of("2025", "2026"));
            turn(
                    server,
                    () ->
                            model.next()
                                    .calls("ask_user", options)
                                    .calls("ask_user", Map.of("question", "Why?"))
                                    .ends());
            assertThat(last("ask").get("question").stringValue()).isEqualTo("Why?");
            assertThat(
                            accepted(
                                    server,
                                    Map.of("askId", "call_1_0", "text", "2026"),
                                    Map.of("askId", "call_1_1", "text", "Taxes, of course")))
                    .isEqualTo("running");
            ScriptedModel.Call next = model.next();
            assertThat(next.request().get("messages").toString())
                    .contains("2026")
                    .contains("Taxes, of course");
            next.says("Thanks.").ends();
            follow(server);
        }
        assertThat(steps("call_1_0")).containsExactly("running", "succeeded");
    }

    @Test
    void aDecisionForTheRunHoldsToItsEndAndNotLonger() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            allowedForLater(server, "run");
            turn(server, () -> model.next().calls("sh", EFFECT).ends());
            assertThat(seen.getLast().data().get("status").stringValue()).isEqualTo("waiting");
        }
    }

    @Test
    void aDecisionForTheChatHoldsInItsNextTurn() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            allowedForLater(server, "chat");
            turn(
                    server,
                    () -> {
                        model.next().calls("sh", EFFECT).ends();
                        model.next().says("Again.").ends();
                    });
            assertThat(types()).doesNotContain("ask");
            assertThat(last("result").get("message").stringValue()).isEqualTo("Again.");
        }
    }

    /** Two rounds with commands, of which only the first is asked for. */
    private void allowedForLater(ServerProcess server, String remember) throws Exception {
        turn(server, () -> model.next().calls("sh", EFFECT).ends());
        Map<String, String> answer =
                Map.of("askId", "call_1_0", "decision", "allow", "remember", remember);
        assertThat(accepted(server, answer)).isEqualTo("running");
        model.next().calls("sh", EFFECT).ends();
        model.next().says("Twice.").ends();
        follow(server);
        assertThat(last("result").get("message").stringValue()).isEqualTo("Twice.");
        assertThat(types().stream().filter("ask"::equals)).hasSize(1);
    }

    @Test
    void ofManyAnswersOneContinuesTheRun() throws Exception {
        try (ServerProcess server = server("data", Map.of());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            turn(server, () -> model.next().calls("sh", EFFECT).ends());
            Callable<Integer> answer = () -> answer(server, allow("call_1_0")).statusCode();
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> one : threads.invokeAll(Collections.nCopies(RACERS, answer))) {
                statuses.add(one.get());
            }
            assertThat(statuses).containsOnlyOnce(202);
            assertThat(statuses.stream().filter(status -> status == 409)).hasSize(RACERS - 1);
            requireEffectOnce(server);
        }
        assertThat(last("resumed").get("attempt").intValue()).isEqualTo(2);
    }

    @Test
    void anAnswerAfterARestartContinuesTheRun() throws Exception {
        try (ServerProcess server = server("data", Map.of())) {
            turn(server, () -> model.next().calls("sh", EFFECT).ends());
            server.kill();
        }
        try (ServerProcess server = server("data", Map.of())) {
            assertThat(status(server)).isEqualTo("waiting");
            assertThat(accepted(server, allow("call_1_0"))).isEqualTo("running");
            requireEffectOnce(server);
        }
    }

    @Test
    void anAnswerGivenToAnotherServerContinuesTheRun() throws Exception {
        Map<String, String> shared =
                Map.of("DATABASE_URL", TestDatabases.freshPostgresql().toString());
        try (ServerProcess first = server("one", shared)) {
            turn(first, () -> model.next().calls("sh", EFFECT).ends());
            try (ServerProcess second = server("two", shared)) {
                assertThat(accepted(second, allow("call_1_0"))).isEqualTo("running");
                requireEffectOnce(second);
            }
        }
    }

    private ServerProcess server(String data, Map<String, String> more) throws IOException {
        Map<String, String> settings = new HashMap<>(model.settings(folder));
        settings.putAll(more);
        return ServerProcess.start(folder.resolve(data), settings);
    }

    /** What the model does while a turn is read. */
    @FunctionalInterface
    private interface Script {
        void play() throws Exception;
    }

    /** A turn of an agent that must ask before each command, up to the end of its stream. */
    private void turn(ServerProcess server, Script script) throws Exception {
        seen.clear();
        if (chat.isEmpty()) {
            chat = newChat(server);
        }
        try (Events events = server.turn(Map.of("message", "clean up", "chatId", chat))) {
            script.play();
            seen.addAll(events.rest());
        }
    }

    private static String newChat(ServerProcess server) throws Exception {
        JsonNode _ = create(server, "/api/agents", Map.of("name", "careful", "permissions", ASK));
        return create(server, "/api/sessions", Map.of("agent", "careful"))
                .at("/session/id")
                .stringValue();
    }

    private static JsonNode create(ServerProcess server, String path, Object body)
            throws Exception {
        HttpResponse<String> created =
                server.send("POST", path, Json.MAPPER.writeValueAsString(body));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return Json.MAPPER.readTree(created.body());
    }

    private String runId() {
        return seen.getFirst().data().get("runId").stringValue();
    }

    private String status(ServerProcess server) throws Exception {
        String run = server.send("GET", "/api/runs/" + runId(), "").body();
        return Json.MAPPER.readTree(run).get("status").stringValue();
    }

    private static Map<String, String> allow(String ask) {
        return Map.of("askId", ask, "decision", "allow");
    }

    private HttpResponse<String> answer(ServerProcess server, Object... answers) throws Exception {
        return server.send(
                "POST",
                "/api/runs/" + runId() + "/answers",
                Json.MAPPER.writeValueAsString(Map.of("answers", answers)));
    }

    /** The status of the run after the answers. */
    private String accepted(ServerProcess server, Object... answers) throws Exception {
        HttpResponse<String> response = answer(server, answers);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return Json.MAPPER.readTree(response.body()).get("status").stringValue();
    }

    /** The model looks at what the command has left, and ends the turn. */
    private void requireEffectOnce(ServerProcess server) throws Exception {
        model.next().calls("view", SHOW).ends();
        ScriptedModel.Call last = model.next();
        assertThat(lastResult(last)).containsOnlyOnce("done");
        last.says("Cleaned.").ends();
        follow(server);
        assertThat(model.requests()).isEqualTo(3);
        assertThat(last("result").get("message").stringValue()).isEqualTo("Cleaned.");
        assertThat(status(server)).isEqualTo("succeeded");
    }

    private static String lastResult(ScriptedModel.Call call) {
        JsonNode messages = call.request().get("messages");
        return messages.get(messages.size() - 1).toString();
    }

    private void follow(ServerProcess server) throws Exception {
        try (Events events = server.follow(runId(), seen.getLast().id())) {
            seen.addAll(events.rest());
        }
    }

    private List<String> types() {
        return seen.stream().map(Event::type).toList();
    }

    private JsonNode last(String type) {
        return seen.stream().filter(event -> event.type().equals(type)).toList().getLast().data();
    }

    private String textOf(String type) {
        StringBuilder text = new StringBuilder();
        for (Event event : seen) {
            if (event.type().equals(type)) {
                text.append(event.data().get("text").stringValue());
            }
        }
        return text.toString();
    }

    private List<String> steps(String id) {
        return seen.stream()
                .filter(event -> event.type().equals("step"))
                .filter(event -> event.data().get("id").stringValue().equals(id))
                .map(event -> event.data().get("status").stringValue())
                .toList();
    }
}
