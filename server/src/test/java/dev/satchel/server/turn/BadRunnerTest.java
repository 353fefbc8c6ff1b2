package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.NdjsonReader;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.testing.FreePort;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every fault of a runner leads to one error event, a stored message and a free conversation. */
class BadRunnerTest extends ScriptedTest {
    @Test
    void malformedJson() throws Exception {
        assertTurnFailsWith("protocol_error", run -> run.say("{not json"));
    }

    @Test
    void aLineThatIsNotAnObject() throws Exception {
        assertTurnFailsWith("protocol_error", run -> run.say("[1,2]"));
    }

    @Test
    void aStepWithoutAnId() throws Exception {
        assertTurnFailsWith(
                "protocol_error",
                run -> run.say("{\"type\":\"step\",\"name\":\"x\",\"status\":\"running\"}"));
    }

    @Test
    void aLineOverTheLimit() throws Exception {
        byte[] endless = new byte[NdjsonReader.DEFAULT_MAX_LINE_BYTES + 1];
        Arrays.fill(endless, (byte) 'x');
        assertTurnFailsWith("line_too_long", run -> run.sayRaw(endless));
    }

    @Test
    void noTerminalLine() throws Exception {
        assertTurnFailsWith("stream_ended", RunOnStage::hangsUp);
    }

    @Test
    void anAnswerOf500() throws Exception {
        assertTurnFailsWith("sandbox_http_error", run -> run.refuses(500));
    }

    @Test
    void aBusyRunner() throws Exception {
        assertTurnFailsWith("sandbox_busy", run -> run.refuses(503));
    }

    @Test
    void aDispatchToAFullRunnerIsRepeated() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            sandbox.next().isFullFor(1);
            sandbox.next().isFullFor(1);
            sandbox.next().answers("there was room");
            assertThat(events.rest())
                    .anySatisfy(event -> assertThat(event.toString()).contains("there was room"));
        }
    }

    @Test
    void anErrorLineIsPassedOnWithItsCode() throws Exception {
        assertTurnFailsWith(
                "model_timeout",
                run ->
                        run.say(
                                "{\"type\":\"error\",\"code\":\"model_timeout\",\"message\":\"Provider"
                                        + " timed out\"}"));
    }

    @Test
    void connectionRefused() throws Exception {
        URI closed = URI.create("http://127.0.0.1:" + FreePort.find());
        try (TestServer lonely = TestServer.start(closed);
                Events events = lonely.turn(Map.of("message", "hello"))) {
            assertFailed(lonely, events.rest(), "sandbox_unreachable", 0);
        }
    }

    @Test
    void silencePastTheIdleLimit() throws Exception {
        assertEndsWhenTimePasses(Duration.ofMinutes(11), "idle_timeout");
    }

    @Test
    void aRunThatTakesTooLong() throws Exception {
        assertEndsWhenTimePasses(Duration.ofHours(9), "run_timeout");
    }

    @Test
    void aRunnerThatSendsLinesAfterItsAnswer() throws Exception {
        MovableClock clock = new MovableClock();
        try (TestServer later = startWith(clock);
                Events events = later.turn(Map.of("message", "hello"))) {
            events.next();
            RunOnStage run = sandbox.next().say("{\"type\":\"result\",\"message\":\"done\"}");
            Thread talker = Thread.startVirtualThread(() -> talkOn(run, clock));

            assertThat(events.rest()).extracting(Event::type).containsExactly("result", "end");
            assertThat(run.wasHungUpOn()).isTrue();
            talker.interrupt();
            talker.join();
        }
    }

    /** One line per second of a fast clock. */
    private static void talkOn(RunOnStage run, MovableClock clock) {
        while (!Thread.currentThread().isInterrupted()) {
            run.stepStarts("s", "more");
            clock.advance(Duration.ofSeconds(1));
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private void assertEndsWhenTimePasses(Duration time, String code) throws Exception {
        MovableClock clock = new MovableClock();
        try (TestServer later = startWith(clock);
                Events events = later.turn(Map.of("message", "hello"))) {
            List<Event> seen = new ArrayList<>();
            seen.add(events.next().orElseThrow());
            RunOnStage run = sandbox.next().stepStarts("s1", "think");
            seen.add(events.next().orElseThrow());
            clock.advance(time);
            seen.addAll(events.rest());
            assertFailed(later, seen, code, 1);
            assertThat(run.wasHungUpOn()).isTrue();
        }
    }

    private TestServer startWith(Clock clock) throws Exception {
        return TestServer.start(
                TestServer.configuration(
                        Files.createTempDirectory("satchel-test-"), null, sandbox.url()),
                clock);
    }

    @Test
    void anUnknownTypeIsDroppedAndLoggedInTheTrace() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            JsonNode chat = events.next().orElseThrow().data();
            sandbox.next().say("{\"type\":\"telemetry\",\"cpu\":3}").answers("done");

            assertThat(events.rest()).extracting(Event::type).containsExactly("result", "end");
            String trace =
                    server.get("/api/runs/" + chat.get("runId").stringValue() + "/trace").body();
            assertThat(trace).contains("unknown line type: telemetry").doesNotContain("cpu");
        }
    }

    @Test
    void aSecondResultIsLoggedAndIgnored() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            events.next();
            sandbox.next().say("{\"type\":\"result\",\"message\":\"first\"}").answers("second");

            List<Event> rest = events.rest();
            assertThat(rest).extracting(Event::type).containsExactly("result", "end");
            assertThat(rest.getFirst().data().get("message").stringValue()).isEqualTo("first");
        }
    }

    private void assertTurnFailsWith(String code, Consumer<RunOnStage> misbehaviour)
            throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            boolean dispatched = code.startsWith("sandbox_");
            if (!dispatched) {
                run.stepStarts("s1", "work");
            }
            misbehaviour.accept(run);
            run.hangsUp();
            assertFailed(server, events.rest(), code, dispatched ? 0 : 1);
            assertThat(sandbox.nothingDispatched()).isTrue(); // a dispatch is not repeated
        }
    }

    /**
     * One error, one end; the steps reached are in the thread, marked as interrupted; the chat is
     * free.
     */
    private static void assertFailed(TestServer server, List<Event> events, String code, int steps)
            throws Exception {
        JsonNode chat = events.getFirst().data();
        assertThat(events).filteredOn(event -> event.type().equals("error")).hasSize(1);
        Event error = events.get(events.size() - 2);
        assertThat(error.data().get("code").stringValue()).isEqualTo(code);
        assertThat(events.getLast().data().get("status").stringValue()).isEqualTo("failed");
        JsonNode thread =
                server.getJson("/api/assistant/chats/" + chat.get("chatId").stringValue());
        assertThat(thread.get("conversationId").isNull()).isTrue();
        JsonNode content = thread.at("/messages/1/content");
        assertThat(content.size()).isEqualTo(steps + 1);
        if (steps > 0) {
            assertThat(content.at("/0/status").stringValue()).isEqualTo("interrupted");
        }
        assertThat(content.get(steps).get("code").stringValue()).isEqualTo(code);
        assertThat(thread.at("/messages/1/id")).isEqualTo(error.data().get("messageId"));
    }
}
