package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The lines of a run in its stream, its trace and its message. */
class RunLinesTest extends ScriptedTest {
    private static final List<String> LINES =
            List.of(
                    "{'type':'thinking','text':'They want a list.','ts':1}",
                    "{'type':'delta','text':'Let me look.','ts':2}",
                    "{'type':'usage','model':'m','provider':'p','inputTokens':10,'outputTokens':5,"
                            + "'cacheReadTokens':3,'cacheWriteTokens':2,'ts':3}",
                    "{'type':'step','id':'s1','name':'sh','status':'running','args':{},'ts':4}",
                    "{'type':'output','id':'s1','stream':'stdout','text':'a.txt\\n','ts':5}",
                    "{'type':'output','id':'s1','stream':'stderr','text':'!\\n','ts':6}",
                    "{'type':'step','id':'s1','name':'sh','status':'succeeded','result':1,'ts':7}",
                    "{'type':'delta','text':'One fi','ts':8}",
                    "{'type':'retry','attempt':1,'delayMs':8000,'code':'429','message':'busy','ts':9}");

    @Test
    void everyLineIsStreamedAndTracedAsItWasWritten() throws Exception {
        Run run = run(LINES, "{'type':'result','message':'One file.','ts':10}");

        List<JsonNode> written = LINES.stream().map(RunLinesTest::json).toList();
        assertThat(run.events.subList(0, written.size())).isEqualTo(written);
        assertThat(run.trace("").subList(1, written.size() + 1)).isEqualTo(written);
    }

    @Test
    void aTraceContinuesAfterTheLinesThatAReaderHas() throws Exception {
        Run run = run(LINES, "{'type':'result','message':'One file.','ts':10}");
        List<JsonNode> all = run.trace("");

        assertThat(run.trace("?skip=4")).isEqualTo(all.subList(4, all.size()));
        assertThat(run.trace("?skip=4&follow=true")).isEqualTo(all.subList(4, all.size()));
        assertThat(run.trace("?skip=" + all.size())).isEmpty();
    }

    @Test
    void aNumberOfLinesIsNotNegative() throws Exception {
        Run run = run(LINES, "{'type':'result','message':'One file.','ts':10}");

        assertThat(server.get("/api/runs/" + run.id + "/trace?skip=-1").statusCode())
                .isEqualTo(400);
    }

    @Test
    void anUnknownStatusIsANoteAndAnUnknownLevelIsInfo() throws Exception {
        Run run =
                run(
                        List.of(
                                "{'type':'step','id':'s1','name':'sh','status':'paused'}",
                                "{'type':'log','level':'loud','message':'hello'}"),
                        "{'type':'result','message':'done'}");

        assertThat(run.events.getLast().get("status").stringValue()).isEqualTo("succeeded");
        assertThat(run.trace("").get(1).get("message").stringValue())
                .isEqualTo("dropped a line: unknown step status: paused");
        assertThat(run.trace("").get(2).get("level").stringValue()).isEqualTo("info");
    }

    @Test
    void theResultSaysWhyItStoppedAndWhatItUsed() throws Exception {
        String usage =
                "{'inputTokens':10,'outputTokens':5,'cacheReadTokens':3,'cacheWriteTokens':2}";
        Run run =
                run(
                        List.of(),
                        "{'type':'result','message':'Half.','stopped':'max_rounds','usage':"
                                + usage
                                + ",'ts':10}");

        JsonNode result = run.events.getFirst();
        assertThat(result.get("stopped").stringValue()).isEqualTo("max_rounds");
        assertThat(result.get("usage")).isEqualTo(json(usage));
    }

    @Test
    void fieldsThatTheServerDoesNotKnowArePassedOn() throws Exception {
        List<String> lines =
                List.of(
                        "{'type':'delta','text':'Hel','ts':1,'choice':2}",
                        "{'type':'step','id':'s1','name':'sh','status':'running','args':{},'ts':2,"
                                + "'icon':'terminal'}",
                        "{'type':'step','id':'s1','name':'sh','status':'succeeded','result':1,"
                                + "'ts':3,'exit':{'code':0}}",
                        "{'type':'log','level':'info','message':'m','ts':4,'source':'x'}");
        Run run = run(lines, "{'type':'result','message':'Hello','ts':5,'mood':'good'}");

        List<JsonNode> written = lines.stream().map(RunLinesTest::json).toList();
        assertThat(run.events.subList(0, 3)).isEqualTo(written.subList(0, 3));
        assertThat(run.trace("").subList(1, 5)).isEqualTo(written);
        assertThat(run.events.get(3).get("mood").stringValue()).isEqualTo("good");
    }

    @Test
    void muchOutputIsCutAndOneLineSaysHowMuchIsLeftOut() throws Exception {
        String kilobyte = "y\\n".repeat(512);
        String line = "{'type':'output','id':'s1','stream':'stdout','text':'" + kilobyte + "'}";
        List<String> lines = new ArrayList<>();
        lines.add("{'type':'step','id':'s1','name':'sh','status':'running','args':{}}");
        lines.addAll(Collections.nCopies(300, line));
        lines.add("{'type':'step','id':'s1','name':'sh','status':'succeeded','result':1}");
        Run run = run(lines, "{'type':'result','message':'ok'}");

        List<JsonNode> printed =
                run.trace("").stream()
                        .filter(event -> event.get("type").stringValue().equals("output"))
                        .toList();
        assertThat(printed).hasSize(257);
        assertThat(printed.getLast().get("text").stringValue())
                .isEqualTo(
                        "… 45,056 bytes of output are left out; the limit is 262,144 bytes a"
                                + " step\n");
        assertThat(printed.getLast().get("truncated").booleanValue()).isTrue();
    }

    @Test
    void aJournalIsInTheTraceOnRequestOnlyAndNotStreamed() throws Exception {
        List<String> lines =
                List.of(
                        "{'type':'journal','n':1,'entry':'first','ts':1}",
                        "{'type':'delta','text':'Hello','ts':2}",
                        "{'type':'journal','n':2,'entry':'sec','more':true,'ts':3}",
                        "{'type':'journal','n':3,'entry':'ond','ts':4}");
        Run run = run(lines, "{'type':'result','message':'Hello','ts':5}");

        assertThat(types(run.events)).containsExactly("delta", "result", "end");
        assertThat(types(run.trace(""))).containsExactly("chat", "delta", "result", "end");
        assertThat(run.trace("?journal=true").subList(1, 5))
                .isEqualTo(lines.stream().map(RunLinesTest::json).toList());
    }

    @Test
    void aJournalLineHasAtMostOneMebibyte() throws Exception {
        String entry = "x".repeat(1024 * 1024);
        Run run = run(List.of("{'type':'journal','n':1,'entry':'" + entry + "'}"), "{}");

        assertThat(run.events.getFirst().get("code").stringValue()).isEqualTo("line_too_long");
    }

    @Test
    void onlyTheServerSaysThatARunIsContinued() throws Exception {
        Run run =
                run(
                        List.of("{'type':'resumed','attempt':2}"),
                        "{'type':'result','message':'done'}");

        assertThat(types(run.events)).containsExactly("result", "end");
        assertThat(run.trace("").get(1).get("message").stringValue())
                .isEqualTo("dropped a line: resumed is a line of the server");
    }

    private static List<String> types(List<JsonNode> lines) {
        return lines.stream().map(line -> line.get("type").stringValue()).toList();
    }

    /** A run that has ended: its events without the first. */
    private final class Run {
        private final String id;
        private final List<JsonNode> events;

        Run(JsonNode started, List<JsonNode> events) {
            this.id = started.get("runId").stringValue();
            this.events = events;
        }

        List<JsonNode> trace(String query) throws Exception {
            return server.get("/api/runs/" + id + "/trace" + query)
                    .body()
                    .lines()
                    .map(Json.MAPPER::readTree)
                    .toList();
        }
    }

    private Run run(List<String> lines, String last) throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            JsonNode started = events.next().orElseThrow().data();
            var stage = sandbox.next();
            lines.forEach(line -> stage.say(json(line).toString()));
            stage.say(json(last).toString()).hangsUp();
            return new Run(started, events.rest().stream().map(Event::data).toList());
        }
    }

    /** JSON with single quotes. */
    private static JsonNode json(String line) {
        return Json.MAPPER.readTree(line.replace('\'', '"'));
    }
}
