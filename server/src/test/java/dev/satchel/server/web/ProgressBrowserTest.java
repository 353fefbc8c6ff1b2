package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import org.junit.jupiter.api.Test;

/** What the page shows of a model and its tools while they work. */
class ProgressBrowserTest extends ScriptedPageTest {
    private static final String RETRY =
            "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"529\",\"message\":\"Anthropic is overloaded\"}";
    private static final String NOTE = "Anthropic is overloaded. Trying again in 4 s (try 2).";

    @Test
    void thoughtsAreFoldedWhileTheyComeAndAfterwards() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"thinking\",\"text\":\"They want \"}");
        assertThat(ada.text("Thinking…")).isVisible();
        assertThat(ada.text("They want")).isHidden();
        ada.button("Thinking…").click();
        run.say("{\"type\":\"thinking\",\"text\":\"a list.\"}");
        assertThat(ada.text("They want a list.")).isVisible();

        run.answers("Done.");
        ada.awaitEndOfTurn();
        ada.page().reload();

        ada.button("Thoughts").click();
        assertThat(ada.text("They want a list.")).isVisible();
        assertThat(ada.text("Done.")).isVisible();
    }

    @Test
    void aCommandPrintsWhileItRunsAndTheEndStaysInSight() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next().stepStarts("s1", "sh");
        run.say(output("stdout", "first\\n" + "line\\n".repeat(100)));
        Locator terminal = ada.steps().locator(".terminal");
        assertThat(terminal).containsText("first");
        run.say(output("stderr", "the last line\\n"));
        assertThat(terminal.locator(".stderr")).hasText("the last line\n");
        assertThat(terminal.evaluate("e => e.scrollHeight - e.scrollTop - e.clientHeight < 8"))
                .isEqualTo(true);

        ada.page().reload();

        assertThat(terminal).containsText("first");
        assertThat(terminal).containsText("the last line");
        run.stepSucceeds("s1", "sh").answers("Done.");
        ada.awaitEndOfTurn();
        assertThat(terminal).isHidden();
    }

    @Test
    void aRetryWithdrawsTheTextAndItsNoteGoesWhenTextComes() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"delta\",\"text\":\"Half an ans\"}");
        assertThat(ada.text("Half an ans")).isVisible();
        run.say(RETRY);
        assertThat(ada.text(NOTE)).isVisible();
        assertThat(ada.text("Half an ans")).isHidden();

        ada.page().reload();

        assertThat(ada.text(NOTE)).isVisible();
        assertThat(ada.text("Half an ans")).isHidden();
        run.say("{\"type\":\"delta\",\"text\":\"The answer\"}");
        assertThat(ada.text("The answer")).isVisible();
        assertThat(ada.text(NOTE)).isHidden();
        run.answers("The answer.");
        ada.awaitEndOfTurn();
        assertThat(ada.text("Half an ans")).isHidden();
    }

    @Test
    void textBeforeAToolIsShownOnce() throws Exception {
        ada.say("go");
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"delta\",\"text\":\"Let me look.\"}");
        run.stepStarts("s1", "sh").stepSucceeds("s1", "sh");
        run.say("{\"type\":\"delta\",\"text\":\"\\n\\nOne file.\"}");
        assertThat(ada.text("One file.")).isVisible();
        run.answers("One file.");
        ada.awaitEndOfTurn();

        assertThat(ada.text("Let me look.")).hasCount(1);
        assertThat(ada.text("One file.")).hasCount(1);
        ada.page().reload();
        assertThat(ada.text("Let me look.")).hasCount(1);
        assertThat(ada.text("One file.")).hasCount(1);
    }

    @Test
    void anAnswerSaysWhyItStoppedAndWhatItUsed() throws Exception {
        ada.say("go");
        sandbox.next()
                .say(
                        "{\"type\":\"usage\",\"model\":\"m\",\"inputTokens\":1000,\"outputTokens\":20,\"cacheReadTokens\":234,\"cacheWriteTokens\":0}")
                .say(
                        "{\"type\":\"result\",\"message\":\"Half.\",\"stopped\":\"max_rounds\",\"usage\":{\"inputTokens\":1000,\"outputTokens\":20,\"cacheReadTokens\":234,\"cacheWriteTokens\":0}}")
                .hangsUp();
        ada.awaitEndOfTurn();

        assertThat(ada.messages().last()).containsText("Stopped at the limit of rounds.");
        assertThat(ada.text("1,234 tokens in · 20 out")).isVisible();
        ada.page().reload();
        assertThat(ada.messages().last()).containsText("Stopped at the limit of rounds.");
        assertThat(ada.text("1,234 tokens in · 20 out")).isVisible();

        assertThat(ada.page().locator(".chat-usage")).hasText("1,254 tokens");

        ada.button("Continue").click();
        sandbox.next().answers("The other half.");
        assertThat(ada.text("The other half.")).isVisible();
        assertThat(ada.button("Continue")).hasCount(0);
    }

    @Test
    void anEditIsShownAsTheLinesThatChanged() throws Exception {
        ada.say("go");
        sandbox.next()
                .say(
                        "{\"type\":\"step\",\"id\":\"a\",\"name\":\"edit\",\"status\":\"running\",\"args\":{\"path\":\"a.py\",\"old_str\":\"one\\ntwo\\nthree\",\"new_str\":\"one\\n2\\nthree\"}}");
        ada.steps().getByRole(AriaRole.BUTTON).click();

        assertThat(ada.page().locator(".diff .removed")).hasText("- two\n");
        assertThat(ada.page().locator(".diff .added")).hasText("+ 2\n");
        assertThat(ada.page().locator(".diff span")).hasCount(4);
    }

    private static String output(String stream, String text) {
        return "{\"type\":\"output\",\"id\":\"s1\",\"stream\":\"%s\",\"text\":\"%s\"}"
                .formatted(stream, text);
    }
}
