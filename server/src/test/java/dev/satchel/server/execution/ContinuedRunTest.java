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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs of a real server that is killed or stopped, and continued after its next start. */
@Timeout(180)
class ContinuedRunTest {
    private static final String EFFECT = "echo done >> effects.txt";

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

    private ServerProcess server() throws IOException {
        Map<String, String> settings = new HashMap<>(model.settings(folder));
        settings.put("SATCHEL_DRAIN_SECONDS", "20");
        return ServerProcess.start(folder.resolve("data"), settings);
    }

    private Events follow(ServerProcess server) throws Exception {
        return server.follow(
                seen.getFirst().data().get("runId").stringValue(), seen.getLast().id());
    }

    /** Reads up to an event of a type. */
    private void read(Events events, String type) throws IOException {
        while (seen.isEmpty() || !seen.getLast().type().equals(type)) {
            seen.add(events.next().orElseThrow());
        }
        String _ = Json.MAPPER.writeValueAsString(seen.getLast().data());
    }

    private void readToEnd(Events events) throws IOException {
        seen.addAll(events.rest());
    }

    /** Reads until the connection is lost. */
    private void readToBreak(Events events) {
        try {
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                seen.add(event.get());
            }
        } catch (IOException e) {
            // the server is gone
        }
    }

    private long count(String type) {
        return seen.stream().filter(event -> event.type().equals(type)).count();
    }

    private JsonNode last(String type) {
        return seen.stream().filter(event -> event.type().equals(type)).toList().getLast().data();
    }

    private List<String> steps() {
        return seen.stream()
                .filter(event -> event.type().equals("step"))
                .map(event -> event.data().get("status").stringValue())
                .toList();
    }

    /** Every event once, in the order of the numbers. */
    private void requireNumbersInOrder() throws IOException {
        List<Long> numbers =
                seen.stream()
                        .map(
                                event ->
                                        Long.parseLong(
                                                event.id().substring(event.id().indexOf(':') + 1)))
                        .toList();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(Files.exists(folder.resolve("data"))).isTrue();
    }
}
