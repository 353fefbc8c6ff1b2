package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LiveRunBrowserTest extends ScriptedPageTest {
    /** Headless browsers show no notifications. */
    private static final String NOTIFICATIONS =
            """
            window.told = [];
            window.Notification = class {
              static permission = "granted";
              static requestPermission = async () => "granted";
              constructor(title, { body }) { window.told.push(title + ": " + body); }
            };
            """;

    /** A page in a headless browser is always in front. */
    private static final String LOOK =
            """
            hidden => {
              Object.defineProperty(document, 'hidden', {get: () => hidden, configurable: true});
              document.dispatchEvent(new Event('visibilitychange'));
            }
            """;

    @Test
    void theMessageIsShownBeforeTheServerHasAnswered() {
        ada.context().route("**/api/assistant/chats", route -> {}); // never answered

        ada.say("hello");

        assertThat(ada.messages().first()).containsText("hello");
        assertThat(ada.text("Starting sandbox…")).isVisible();
    }

    @Test
    void aStepIsOneRowThatChangesInPlace() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        assertThat(ada.text("Starting sandbox…")).isVisible();
        run.stepStarts("s1", "sh");
        Locator row = ada.steps();
        assertThat(row).containsText("running");
        assertThat(ada.text("Starting sandbox…")).isHidden();
        row.evaluate("element => element.marked = true");

        run.stepSucceeds("s1", "sh").stepStarts("s2", "view");

        assertThat(ada.steps()).hasCount(2);
        assertThat(row.first()).containsText("done");
        assertThat(row.first().evaluate("element => element.marked")).isEqualTo(true);
    }

    @Test
    void aRowShowsItsNameItsStateInWordsAndATimeThatGoesOn() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next().stepStarts("s1", "sh");
        assertThat(ada.steps()).containsText(Pattern.compile("sh.*running"));
        String before = ada.steps().locator(".step-time").textContent();
        assertThat(ada.steps().locator(".step-time")).not().hasText(before);

        run.stepSucceeds("s1", "sh");

        assertThat(ada.steps()).containsText(Pattern.compile("sh.*done.*5 ms"));
    }

    @Test
    void aRowUnfoldsToItsArgumentsAndItsResultCutAtFirst() throws Exception {
        ada.say("go");
        String output = "x".repeat(3_000) + "THE END";
        sandbox.next()
                .say(
                        "{\"type\":\"step\",\"id\":\"a\",\"name\":\"sh\",\"status\":\"running\",\"args\":{\"command\":\"ls"
                                + " -la\"}}")
                .say(
                        "{\"type\":\"step\",\"id\":\"a\",\"name\":\"sh\",\"status\":\"succeeded\",\"result\":{\"output\":\"%s\"}}"
                                .formatted(output));
        ada.steps().getByRole(com.microsoft.playwright.options.AriaRole.BUTTON).first().click();

        assertThat(ada.steps()).containsText("command: ls -la");
        assertThat(ada.steps()).not().containsText("THE END");
        ada.page().getByText("Show all").click();
        assertThat(ada.steps()).containsText("THE END");
    }

    /** The thread has 64 KiB of a value; its end is in the trace only. */
    @Test
    void aResultThatWasCutIsLoadedFromTheTrace() throws Exception {
        ada.say("go");
        String output = "x".repeat(200_000) + "THE END";
        sandbox.next()
                .say(
                        "{\"type\":\"step\",\"id\":\"a\",\"name\":\"sh\",\"status\":\"succeeded\",\"durationMs\":5,\"result\":{\"output\":\"%s\"}}"
                                .formatted(output))
                .answers("done");
        ada.page().locator(".steps-summary").click();
        ada.steps().getByRole(com.microsoft.playwright.options.AriaRole.BUTTON).first().click();

        ada.page().getByText("Show all").click();
        assertThat(ada.steps()).containsText("cut here)");
        ada.page().getByText("Load all of it (200 KB)").click();
        assertThat(ada.steps()).containsText("THE END");
        assertThat(ada.page().getByText("Load all of it")).hasCount(0);
    }

    @Test
    void finishedStepsFoldIntoOneLineAndFailedOnesStayInSight() throws Exception {
        ada.say("go");
        sandbox.next()
                .stepStarts("a", "sh")
                .stepSucceeds("a", "sh")
                .say(
                        "{\"type\":\"step\",\"id\":\"b\",\"name\":\"view\",\"status\":\"failed\",\"error\":\"no"
                                + " such file\",\"durationMs\":7}")
                .answers("so far");

        Locator summary = ada.page().locator(".steps-summary");
        assertThat(summary).hasText("2 steps · 12 ms · 1 failed");
        assertThat(ada.steps()).hasCount(1);
        assertThat(ada.steps()).containsText("view");
        assertThat(ada.page().locator(".step-reason")).hasText("no such file");
        summary.click();
        assertThat(ada.steps()).hasCount(2);
    }

    @Test
    void escapeStopsTheTurnAndItsStepIsMarked() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next().stepStarts("a", "sh");
        assertThat(ada.steps()).containsText("running");
        assertThat(ada.button("Send")).isHidden();
        assertThat(ada.button("Stop")).isVisible();

        ada.page().keyboard().press("Escape");

        assertThat(ada.text("Stopped by you")).isVisible();
        assertThat(run.wasHungUpOn()).isTrue();
        assertThat(ada.button("Send")).isVisible();
        assertThat(ada.steps()).containsText("stopped");
    }

    @Test
    void aStoppedStepHasTheTimeItLastedAndWhatItPrinted() throws Exception {
        ada.say("go");
        long begun = System.currentTimeMillis() - 61_000;
        RunOnStage run = sandbox.next();
        run.say(
                "{\"type\":\"step\",\"id\":\"a\",\"name\":\"sh\",\"status\":\"running\",\"ts\":%d}"
                        .formatted(begun));
        run.say("{\"type\":\"output\",\"id\":\"a\",\"stream\":\"stdout\",\"text\":\"half of it\"}");
        assertThat(ada.steps()).containsText("half of it");

        ada.page().keyboard().press("Escape");
        assertThat(ada.text("Stopped by you")).isVisible();
        ada.page().reload();

        assertThat(ada.steps()).containsText("half of it");
        assertThat(ada.steps().locator(".step-time")).hasText(Pattern.compile("1 min \\d+ s"));
    }

    @Test
    void textIsShownAsItStreamsAndTheResultTakesItsPlace() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"delta\",\"text\":\"Half a \"}");
        assertThat(ada.text("Half a")).isVisible();
        run.say("{\"type\":\"delta\",\"text\":\"sentence\"}");
        assertThat(ada.text("Half a sentence")).isVisible();

        run.answers("Half a sentence, finished.");

        assertThat(ada.text("Half a sentence, finished.")).isVisible();
        assertThat(ada.messages()).hasCount(2);
    }

    @Test
    void theTabsTitleSaysThatATurnRuns() throws Exception {
        ada.say("make a plan");
        RunOnStage run = sandbox.next();
        assertThat(ada.page()).hasTitle("● make a plan");
        assertThat(ada.page().locator(".bar h2")).hasText("make a plan");
        assertThat(icon()).hasAttribute("href", Pattern.compile("^data:image/svg.*d97a2b.*"));

        run.answers("done");

        assertThat(ada.page()).hasTitle("make a plan");
        assertThat(icon()).hasAttribute("href", "/satchel.svg");
    }

    @Test
    void aTurnThatEndsWhileNobodyLooksLeavesAMarkUntilSomebodyDoes() throws Exception {
        ada.say("make a plan");
        RunOnStage run = sandbox.next();
        assertThat(ada.page()).hasTitle(Pattern.compile("^● "));

        ada.page().evaluate(LOOK, true);
        run.answers("done");

        assertThat(ada.page()).hasTitle("✓ make a plan");
        assertThat(icon()).hasAttribute("href", Pattern.compile("^data:image/svg.*2f9e57.*"));
        ada.page().evaluate(LOOK, false);
        assertThat(ada.page()).hasTitle("make a plan");
        assertThat(icon()).hasAttribute("href", "/satchel.svg");
    }

    @Test
    void aPersonWhoWantsItIsToldByTheSystemWhenATurnEnds() throws Exception {
        ada.page().addInitScript(NOTIFICATIONS);
        ada.open("/settings");
        ada.page().getByText("Tell me when a turn ends").click();
        assertThat(ada.page().locator("input[type=checkbox]")).isChecked();
        ada.open("/");
        ada.say("make a plan");
        RunOnStage run = sandbox.next();
        assertThat(ada.page()).hasTitle("● make a plan");
        ada.page().evaluate(LOOK, true);

        run.answers("done");

        assertThat(ada.page()).hasTitle("✓ make a plan");
        assertThat(ada.page().evaluate("window.told"))
                .isEqualTo(List.of("make a plan: The turn has ended."));
    }

    @Test
    void aSecondTabSeesTheSameRunAndIsToldWhyItMustWait() throws Exception {
        ada.say("first");
        sandbox.next().answers("one");
        ada.awaitEndOfTurn();
        Page second = ada.context().newPage();
        second.navigate(ada.page().url());
        assertThat(second.locator(".markdown")).hasText("one");

        ada.say("second");
        RunOnStage run = sandbox.next().stepStarts("a", "sh");

        assertThat(second.locator("[data-step]")).containsText("running");
        assertThat(
                        second.getByText(
                                "A turn is running. Enter queues a message, Esc stops the turn."))
                .isVisible();
        assertThat(Visitor.button(second, "Stop")).isVisible();
        run.stepSucceeds("a", "sh").answers("both see this");
        assertThat(second.getByText("both see this")).isVisible();
        assertThat(ada.text("both see this")).isVisible();
        assertThat(second.locator("article.message")).hasCount(4);
    }

    @Test
    void aTurnThatFailsSaysSoInTheServersWords() throws Exception {
        ada.say("go");
        sandbox.next()
                .stepStarts("a", "sh")
                .say(
                        "{\"type\":\"error\",\"code\":\"model_failed\",\"message\":\"The model is"
                                + " away.\"}")
                .hangsUp();

        assertThat(ada.text("This turn failed")).isVisible();
        assertThat(ada.text("The model is away.")).isVisible();
    }

    private Locator icon() {
        return ada.page().locator("link[rel=icon]");
    }
}
