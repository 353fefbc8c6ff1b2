package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TraceBrowserTest extends ScriptedPageTest {
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
        assertThat(lines()).hasCount(7);
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

    private Locator lines() {
        return ada.page().locator(".trace-line");
    }

    private static RunOnStage log(RunOnStage run, String level, String message) throws Exception {
        return run.say(
                "{\"type\":\"log\",\"level\":\"%s\",\"message\":\"%s\",\"ts\":1}"
                        .formatted(level, message));
    }
}
