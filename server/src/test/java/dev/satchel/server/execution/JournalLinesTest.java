package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What runners write into their journals, also wrong things, and what they read of them. */
@Timeout(180)
class JournalLinesTest {
    private static final int LINES = 1_203;
    private static final int LARGE_LINES = 7;

    private final SandboxCalls calls = new SandboxCalls();
    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
        calls.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "3", "9223372036854775807"})
    void aWrongNumberEndsTheRunOfItsRunner(String number) throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            run.say(journal("1", "{}")).say(journal(number, "{}")).answers("I lied.");
            requireFailed(events.rest(), "protocol_error");
        }
    }

    @Test
    void aLineThatIsTooLargeEndsTheRunOfItsRunner() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            run.say(journal("1", "{}")).say(journal("2", "a".repeat(1024 * 1024)));
            run.answers("I am large.");
            requireFailed(events.rest(), "line_too_long");
        }
    }

    /** The chat takes its next turn. */
    private void requireFailed(List<Event> events, String code) throws Exception {
        assertThat(events.getLast().data().get("status").stringValue()).isEqualTo("failed");
        assertThat(events.get(events.size() - 2).data().get("code").stringValue()).isEqualTo(code);
        String chat = events.getFirst().data().get("chatId").stringValue();
        try (Events next = server.turn(Map.of("message", "again", "chatId", chat))) {
            sandbox.next().answers("fine");
            assertThat(next.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    @Test
    void aLongJournalIsReadInPagesAndGoesOnWithTheNextNumber() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            sandbox.next()
                    .sayAll(
                            IntStream.rangeClosed(1, LINES)
                                    .mapToObj(n -> journal(Integer.toString(n), "rubbish " + n)))
                    .hangsUp();
            RunOnStage next = sandbox.next();
            JsonNode config = json(next, "/config");
            assertThat(next.dispatch().journalLines()).isEqualTo(LINES);
            List<JsonNode> lines = new ArrayList<>();
            JsonNode page = config;
            for (boolean more = true; more; ) {
                assertThat(page.get("journal").isEmpty()).isFalse();
                page.get("journal").forEach(lines::add);
                more = page.has("more") || page.has("journal_more");
                page = json(next, "/journal?after=" + lines.getLast().get("n").longValue());
            }
            assertThat(lines.stream().map(line -> line.get("n").longValue()))
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, LINES).boxed().toList());
            assertThat(lines.getLast().get("entry").stringValue()).isEqualTo("rubbish " + LINES);

            next.say(journal(Integer.toString(LINES + 1), "{}")).answers("done");
            List<Event> all = events.rest();
            assertThat(all).extracting(Event::type).doesNotContain("journal");
            assertThat(all.getLast().data().get("status").stringValue()).isEqualTo("succeeded");
            String run = all.getFirst().data().get("runId").stringValue();
            assertThat(server.get("/api/runs/" + run + "/trace").body()).doesNotContain("rubbish");
        }
    }

    @Test
    void theTokenOfARunReadsNoOtherJournal() throws Exception {
        try (Events _ = server.turn(Map.of("message", "one"));
                Events _ = server.turn(Map.of("message", "two"))) {
            RunOnStage one = sandbox.next();
            RunOnStage two = sandbox.next();
            assertThat(
                            calls.get(one.dispatch(), "/journal?after=0", two.dispatch().otpRun())
                                    .statusCode())
                    .isIn(401, 404);
            assertThat(
                            calls.get(one.dispatch(), "/inbox?journal=0", two.dispatch().otpRun())
                                    .statusCode())
                    .isIn(401, 404);
            one.answers("1");
            two.answers("2");
        }
    }

    @Test
    void aRunThatAsksWithoutAJournalFails() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            calls.get(run.dispatch(), "/config", run.dispatch().otpRun());
            run.say(AskScript.APPROVAL).say("{\"type\":\"parked\"}").hangsUp();
            requireFailed(events.rest(), "protocol_error");
        }
        assertThat(server.getJson("/api/asks").get("asks")).isEmpty();
    }

    @Test
    void aRunThatAsksWithAFullJournalFailsAndTheTraceSaysWhy() throws Exception {
        server.close();
        RunLogLimits usual = RunLogLimits.standard();
        server =
                TestServer.startWithModel(
                        sandbox.url(),
                        new RunLogLimits(
                                usual.characters(),
                                usual.lines(),
                                usual.messageCharacters(),
                                usual.stepOutputBytes(),
                                1_000,
                                usual.queuedCharacters()));
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            run.say(journal("1", "a".repeat(700))).say(journal("2", "b".repeat(700)));
            run.say(AskScript.APPROVAL).say("{\"type\":\"parked\"}").hangsUp();
            List<Event> all = events.rest();
            requireFailed(all, "journal_full");
            String id = all.getFirst().data().get("runId").stringValue();
            assertThat(server.get("/api/runs/" + id + "/trace").body())
                    .contains("The journal of this run has reached its limit of 1,000 characters");
        }
        assertThat(server.getJson("/api/asks").get("asks")).isEmpty();
    }

    @Test
    void largeLinesAreReadInPagesToo() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            for (int n = 1; n <= LARGE_LINES; n++) {
                run.say(journal(Integer.toString(n), "x".repeat(1_000_000)));
            }
            run.hangsUp();
            RunOnStage next = sandbox.next();
            JsonNode config = json(next, "/config");
            assertThat(config.get("journal_more").booleanValue()).isTrue();
            long read = config.get("journal").size();
            JsonNode rest = json(next, "/journal?after=" + read);
            assertThat(rest.get("journal")).hasSize((int) (LARGE_LINES - read));
            next.answers("done");
            events.rest();
        }
    }

    /** It has begun and keeps no journal, so nothing says what it has done. */
    @Test
    void aRunnerOfThePlainProtocolThatGoesAwayIsNotContinued() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            calls.get(run.dispatch(), "/config", run.dispatch().otpRun());
            run.stepStarts("s1", "sh").hangsUp();
            List<Event> all = events.rest();
            assertThat(all).extracting(Event::type).doesNotContain("resumed");
            requireFailed(all, "stream_ended");
        }
    }

    private JsonNode json(RunOnStage run, String path) throws Exception {
        return Json.MAPPER.readTree(
                calls.get(run.dispatch(), path, run.dispatch().otpRun()).body());
    }

    private static String journal(String n, String entry) {
        return "{\"type\":\"journal\",\"n\":%s,\"entry\":%s}"
                .formatted(n, Json.MAPPER.writeValueAsString(entry));
    }
}
