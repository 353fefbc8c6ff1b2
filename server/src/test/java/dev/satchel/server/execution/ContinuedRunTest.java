package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of a real server that is killed or stopped, and continued after its next start. */
@Timeout(180)
class ContinuedRunTest extends ContinuedRunFixture {
    private static final int READS = 16;

    @Test
    void aKillDuringAModelCallWithdrawsItsTextAndAsksAgain() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next().says("Half an ans");
            read(events, "delta");
            server.kill();
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            model.next().says("The answer.").ends();
            readToEnd(events);
        }

        assertThat(last("resumed").get("attempt").intValue()).isEqualTo(2);
        assertThat(last("result").get("message").stringValue()).isEqualTo("The answer.");
        assertThat(count("usage")).isEqualTo(1);
        assertThat(model.requests()).isEqualTo(2);
        requireNumbersInOrder();
    }

    @Test
    void aKillDuringACommandDoesNotRepeatIt() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next()
                    .says("I try.")
                    .calls("sh", Map.of("command", EFFECT + "; echo began; sleep 600"))
                    .ends();
            read(events, "output");
            server.kill();
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            ScriptedModel.Call next = model.next();
            assertThat(next.request().toString())
                    .contains("I try.")
                    .contains("may have had effects");
            next.calls("sh", Map.of("command", "cat effects.txt")).ends();
            model.next().says("Fine.").ends();
            readToEnd(events);
        }

        assertThat(steps()).containsExactly("running", "failed", "running", "succeeded");
        assertThat(seen.stream().filter(event -> event.type().equals("step")).toList().getLast())
                .extracting(event -> event.data().get("result").toString())
                .asString()
                .contains("done")
                .doesNotContain("done\\ndone");
        assertThat(model.requests()).isEqualTo(3);
        assertThat(count("usage")).isEqualTo(3);
        requireNumbersInOrder();
    }

    @Test
    void aKillBetweenRoundsRepeatsNothing() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next().calls("sh", Map.of("command", EFFECT)).ends();
            ScriptedModel.Call second = model.next(); // nothing of it is streamed
            assertThat(second.request().toString()).contains("tool_result");
            server.kill();
            readToBreak(events);
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            ScriptedModel.Call third = model.next();
            assertThat(third.request().toString())
                    .contains("tool_result")
                    .doesNotContain("may have had effects");
            third.says("Fine.").ends();
            readToEnd(events);
        }

        assertThat(steps()).containsExactly("running", "succeeded");
        assertThat(model.requests()).isEqualTo(3);
        requireNumbersInOrder();
    }

    @Test
    void aContinuedRunKeepsItsAgentAsItWas() throws Exception {
        try (ServerProcess server = server()) {
            String made =
                    server.send(
                                    "POST",
                                    "/api/agents",
                                    "{\"name\":\"poet\",\"systemPrompt\":\"Be a poet.\"}")
                            .body();
            String agent = Json.MAPPER.readTree(made).get("id").stringValue();
            try (Events events = server.turn(Map.of("message", "hello", "agentId", agent))) {
                assertThat(model.next().request().toString()).contains("Be a poet.");
                assertThat(
                                server.send("PUT", "/api/agents/" + agent, "{\"name\":\"clerk\"}")
                                        .statusCode())
                        .isEqualTo(200);
                assertThat(server.send("DELETE", "/api/agents/" + agent, "").statusCode())
                        .isEqualTo(204);
                server.kill();
                readToBreak(events);
            }
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            ScriptedModel.Call again = model.next();
            assertThat(again.request().toString()).contains("Be a poet.");
            again.says("A poem.").ends();
            readToEnd(events);
        }

        assertThat(seen.getFirst().data().get("agentVersion").intValue()).isEqualTo(1);
        assertThat(last("result").get("message").stringValue()).isEqualTo("A poem.");
    }

    @Test
    void resultsOfReadsAreKept() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next()
                    .calls("sh", Map.of("command", "echo one > a.txt; echo two > b.txt"))
                    .ends();
            model.next()
                    .calls("view", Map.of("path", "a.txt"))
                    .calls("view", Map.of("path", "b.txt"))
                    .calls("grep", Map.of("pattern", "o"))
                    .ends();
            ScriptedModel.Call _ = model.next();
            server.kill();
            readToBreak(events);
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            ScriptedModel.Call next = model.next();
            assertThat(next.request().toString()).contains("one").contains("two");
            next.says("Fine.").ends();
            readToEnd(events);
        }

        assertThat(count("step")).isEqualTo(8);
        requireNumbersInOrder();
    }

    @Test
    void aRunIsContinuedOnlySoOften() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next().says("a");
            read(events, "delta");
            server.kill();
        }
        for (int attempt = 2; attempt <= 4; attempt++) {
            try (ServerProcess server = server();
                    Events events = follow(server)) {
                model.next().says("again");
                read(events, "delta");
                server.kill();
            }
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            readToEnd(events);
        }

        assertThat(last("end").get("status").stringValue()).isEqualTo("interrupted");
        assertThat(count("resumed")).isEqualTo(3);
    }

    @Test
    void aStoppedServerStopsItsRunAtTheNextBoundaryAndContinuesItLater() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            ScriptedModel.Call first = model.next();
            first.says("Working.");
            read(events, "delta");
            server.terminate();
            while (server.send("GET", "/readyz", "").statusCode() == 200) {
                Thread.onSpinWait();
            }
            first.calls("sh", Map.of("command", EFFECT)).ends();
            server.exitCode();
            readToBreak(events);
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            ScriptedModel.Call second = model.next();
            assertThat(second.request().toString()).doesNotContain("may have had effects");
            second.says("Fine.").ends();
            readToEnd(events);
        }

        assertThat(model.requests()).isEqualTo(2);
        assertThat(last("end").get("status").stringValue()).isEqualTo("succeeded");
        assertThat(steps()).containsExactly("running", "succeeded");
        requireNumbersInOrder();
    }

    /** A question ends the calls, so that the model is not asked before the kill. */
    @Test
    void readsThatWereInterruptedRunAgain() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next().calls("sh", Map.of("command", "echo one > a.txt")).ends();
            ScriptedModel.Call reads = model.next();
            for (int i = 0; i < READS; i++) {
                reads.calls("view", Map.of("path", "a.txt"));
            }
            reads.calls("ask_user", Map.of("question", "Go on?")).ends();
            do {
                seen.add(events.next().orElseThrow());
            } while (!seen.getLast().data().path("name").stringValue("").equals("view"));
            server.kill(); // somewhere in the calls
        }
        try (ServerProcess server = server()) {
            String run = "/api/runs/" + runId();
            while (!server.send("GET", run, "").body().contains("\"waiting\"")) {
                Thread.onSpinWait();
            }
            String ask = "call_2_" + READS;
            server.send(
                    "POST",
                    run + "/answers",
                    "{\"answers\":[{\"askId\":\"" + ask + "\",\"text\":\"Yes.\"}]}");
            ScriptedModel.Call next = model.next();
            assertThat(next.request().toString().split("1. one", -1)).hasSize(READS + 1);
            assertThat(next.request().toString()).doesNotContain("may have had effects");
            next.says("Fine.").ends();
            seen.clear();
            try (Events events = server.follow(run.substring("/api/runs/".length()), "")) {
                readToEnd(events);
            }
        }

        assertThat(steps().stream().filter("succeeded"::equals)).hasSize(READS + 2);
        assertThat(last("end").get("status").stringValue()).isEqualTo("succeeded");
        requireNumbersInOrder();
    }

    @Test
    void aRunWhoseJournalIsFullGoesOnAndEndsAsInterruptedWhenItsServerIsLost() throws Exception {
        Map<String, String> small = Map.of("SATCHEL_JOURNAL_MB", "1");
        try (ServerProcess server = server(small);
                Events events = server.turn("hello")) {
            model.next().says("a".repeat(1_100_000)).calls("sh", Map.of("command", EFFECT)).ends();
            ScriptedModel.Call _ = model.next(); // it goes on
            read(events, "step");
            String trace = server.send("GET", "/api/runs/" + runId() + "/trace", "").body();
            assertThat(trace).contains("The journal of this run has reached its limit");
            server.kill();
        }
        try (ServerProcess server = server(small);
                Events events = follow(server)) {
            readToEnd(events);
        }

        assertThat(last("end").get("status").stringValue()).isEqualTo("interrupted");
        assertThat(count("resumed")).isZero();
        assertThat(model.requests()).isEqualTo(2);
    }

    @Test
    void aJournalThatARunnerDoesNotKnowEndsOnlyItsRun() throws Exception {
        try (ServerProcess server = server();
                Events events = server.turn("hello")) {
            model.next().calls("sh", Map.of("command", EFFECT)).ends();
            ScriptedModel.Call _ = model.next();
            read(events, "step");
            server.kill();
        }
        try (Connection database =
                        DriverManager.getConnection(
                                "jdbc:sqlite:" + folder.resolve("data/satchel.db"));
                Statement change = database.createStatement()) {
            change.execute(
                    """
                    UPDATE run_line SET body = '{"type":"journal","n":2,"entry":"{\\"type\\":\\"of tomorrow\\"}"}'
                     WHERE type = 'journal' AND body LIKE '%"n":2,%'
                    """);
        }
        try (ServerProcess server = server();
                Events events = follow(server)) {
            readToEnd(events);
            assertThat(last("error").get("code").stringValue()).isEqualTo("journal_unreadable");
            String chat = seen.getFirst().data().get("chatId").stringValue();
            try (Events next = server.turn(Map.of("message", "again", "chatId", chat))) {
                model.next().says("Hello.").ends();
                assertThat(next.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("succeeded");
            }
        }
    }
}
