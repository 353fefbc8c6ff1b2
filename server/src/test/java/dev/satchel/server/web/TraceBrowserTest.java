package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceBrowserTest extends ScriptedPageTest {
    private static final String USAGE =
            "{'type':'usage','model':'claude-scripted','provider':'p','inputTokens':10,'outputTokens':5,"
                    + "'cacheReadTokens':3,'cacheWriteTokens':2,'ts':3000}";
    private static final String STEP =
            "{'type':'step','id':'a','name':'sh','status':'running','args':{'command':'ls"
                    + " -l'},'ts':3000}";
    private static final String STEP_END =
            "{'type':'step','id':'a','name':'sh','status':'failed','error':'No such"
                    + " file','ts':7000}";

    @Test
    void aRunsTraceIsFilteredByLevelSearchedAndTakenHome() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "go"))) {
            log(sandbox.next(), "debug", "a small thing")
                    .say(
                            "{\"type\":\"log\",\"level\":\"warn\",\"message\":\"mind the"
                                    + " gap\",\"ts\":2}")
                    .stepStarts("a", "sh")
                    .stepSucceeds("a", "sh")
                    .answers("done");
            events.rest();
        }
        ada.open("/chats/" + chat);
        ada.openTrace();
        assertThat(lines()).hasCount(6); // a step is one row
        ada.page().getByText("warn+").click();
        assertThat(lines()).hasCount(1);
        assertThat(lines()).containsText("mind the gap");

        ada.page().getByText("Everything").click();
        ada.page().getByPlaceholder("Search lines").fill("small");
        assertThat(lines()).hasCount(1);
        Download trace = ada.page().waitForDownload(() -> ada.page().getByText("NDJSON").click());
        assertThat(trace.suggestedFilename()).endsWith(".ndjson");
        assertThat(Files.readAllLines(trace.path())).hasSize(7);
    }

    @Test
    void theTraceOfARunThatGoesOnIsFollowedUntilSomebodyReadsBack() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next().stepStarts("a", "sh");
        assertThat(ada.steps()).hasCount(1);
        String runId =
                server.getJson("/api/assistant/chats/" + ada.chatId())
                        .at("/activeRun/id")
                        .stringValue();
        ada.open("/runs/" + runId);
        assertThat(ada.page().locator(".facts")).containsText("running");

        for (int line = 1; line <= 60; line++) {
            log(run, "info", "line " + line);
        }
        assertThat(ada.text("line 60")).isInViewport();
        lines().first().hover(); // scrolls there, as a reader does
        ada.page().mouse().wheel(0, -50);
        assertThat(ada.page().getByLabel("Follow")).not().isChecked();
        log(run, "info", "line 61");
        assertThat(ada.text("line 61")).isAttached();
        assertThat(ada.text("line 61")).not().isInViewport();

        ada.page().getByLabel("Follow").check();
        assertThat(ada.text("line 61")).isInViewport();
        run.stepSucceeds("a", "sh").answers("done");
        assertThat(ada.page().locator(".facts")).containsText("succeeded");
    }

    @Test
    void stepsAreOneRowTextsAreMergedAndAWaterfallShowsTheTime() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "go"))) {
            sandbox.next()
                    .say(
                            "{'type':'log','level':'info','message':'begin','ts':1000}"
                                    .replace('\'', '"'))
                    .say("{'type':'delta','text':'Let me ','ts':1500}".replace('\'', '"'))
                    .say("{'type':'delta','text':'look.','ts':1600}".replace('\'', '"'))
                    .say(USAGE.replace('\'', '"'))
                    .say(STEP.replace('\'', '"'))
                    .say(STEP_END.replace('\'', '"'))
                    .answers("done");
            events.rest();
        }
        ada.open("/chats/" + chat);
        ada.openTrace();

        Locator spans = ada.page().locator(".waterfall li");
        assertThat(spans).hasCount(2);
        assertThat(spans.first()).containsText("claude-scripted");
        assertThat(spans.first()).containsText("2.0 s");
        assertThat(spans.first()).containsText("15 in · 5 out");
        assertThat(spans.last()).containsText("sh ls -l");
        assertThat(spans.last()).containsText("4.0 s failed");
        assertThat(ada.page().locator(".facts")).containsText("claude-scripted");
        String run = ada.page().url().substring(ada.page().url().lastIndexOf('/') + 1);
        assertThat(ada.page().locator(".facts")).containsText(run);
        assertThat(ada.text("Let me look.")).hasCount(1);
        Locator step = lines().filter(new Locator.FilterOptions().setHasText("sh failed"));
        assertThat(step).not().containsText("No such file");
        step.locator("summary").click();
        assertThat(step).containsText("ls -l");
        assertThat(step).containsText("No such file");
    }

    /** Not one element for each of many lines; all of them are reached. */
    @Test
    void ofAManyLinesOnlySomeAreInTheDocument() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "go"))) {
            RunOnStage run = sandbox.next();
            for (int line = 1; line <= 1_000; line++) {
                log(run, "info", "line " + line);
            }
            run.answers("done");
            events.rest();
        }
        ada.open("/chats/" + chat);
        ada.openTrace();

        assertThat(lines()).hasCount(300);
        ada.button("To the last").click();
        assertThat(lines()).hasCount(300);
        assertThat(ada.text("line 1000")).isAttached();
        assertThat(ada.text("line 1")).hasCount(0);
        ada.page().getByText("earlier rows").click();
        assertThat(lines()).hasCount(600);
        ada.page().getByPlaceholder("Search lines").fill("line 77");
        assertThat(lines()).hasCount(11); // 77, 770 to 779
    }

    @Test
    void theTraceIsReachedBeforeAnythingIsAnswered() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        ada.page()
                .locator("main")
                .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("Trace"))
                .click();

        assertThat(ada.page().locator(".facts")).containsText("running");
        run.answers("done");
        assertThat(ada.page().locator(".facts")).containsText("succeeded");
    }

    /** What has arrived is not sent again, and nothing is lost. */
    @Test
    void aLostConnectionIsContinuedWhereItEnded() throws Exception {
        List<String> requests = Collections.synchronizedList(new ArrayList<>());
        ada.page().onRequest(request -> requests.add(request.url()));
        ada.say("go");
        RunOnStage run = sandbox.next();
        try (CuttableProxy proxy = new CuttableProxy(server.url(""));
                Visitor bob = Visitor.at(server, proxy.url(), new Browser.NewContextOptions())) {
            bob.page().onRequest(request -> requests.add(request.url()));
            String chat = ada.chatId();
            String id = runOf(chat);
            bob.open("/runs/" + id);
            log(run, "info", "before the cut");
            assertThat(bob.text("before the cut")).isVisible();

            proxy.cut();
            log(run, "info", "during the cut");
            proxy.mend();

            assertThat(bob.text("during the cut")).isVisible();
            assertThat(bob.text("before the cut")).hasCount(1);
            assertThat(requests).anyMatch(url -> url.matches(".*skip=[1-9].*"));
            run.answers("done");
            assertThat(bob.page().locator(".facts")).containsText("succeeded");
        }
    }

    private String runOf(String chat) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat).at("/activeRun/id").stringValue();
    }

    private Locator lines() {
        return ada.page().locator(".trace-line");
    }

    private static RunOnStage log(RunOnStage run, String level, String message) throws Exception {
        return run.say(
                "{\"type\":\"log\",\"level\":\"%s\",\"message\":\"%s\",\"ts\":1}"
                        .formatted(level, message));
    }
}
