package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import org.junit.jupiter.api.Test;

/** Messages that a person sends while a turn is running. */
class QueueBrowserTest extends ScriptedPageTest {
    @Test
    void theyAreListedAboveTheComposerAndAnsweredOneAfterTheOther() throws Exception {
        ada.say("one");
        RunOnStage first = sandbox.next();
        ada.say("two");
        ada.say("three");
        assertThat(queue()).hasText(new String[] {"two", "three"});
        assertThat(ada.composer()).hasValue("");

        first.answers("first answer");
        RunOnStage second = sandbox.next();
        assertThat(ada.text("first answer")).isVisible();
        assertThat(queue()).hasText(new String[] {"three"});
        assertThat(ada.messages().last()).containsText("two");
        second.answers("second answer");
        sandbox.next().answers("third answer");

        assertThat(ada.text("third answer")).isVisible();
        assertThat(queue()).hasCount(0);
        assertThat(ada.messages()).hasCount(6);
    }

    @Test
    void theyAreEditedAndRemovedAndStayAfterAReload() throws Exception {
        ada.say("one");
        RunOnStage first = sandbox.next();
        ada.say("two");
        ada.say("three");
        assertThat(queue()).hasCount(2);

        ada.button("Remove three").click();
        assertThat(queue()).hasText(new String[] {"two"});
        ada.button("Edit two").click();
        Locator text =
                ada.page()
                        .getByRole(
                                AriaRole.TEXTBOX,
                                new Page.GetByRoleOptions().setName("Queued text"));
        text.fill("not this");
        text.press("Escape"); // ends the editing, not the turn
        assertThat(queue()).hasText(new String[] {"two"});
        ada.button("Edit two").click();
        text.fill("better");
        text.press("Enter");
        assertThat(queue()).hasText(new String[] {"better"});
        ada.page().reload();

        assertThat(queue()).hasText(new String[] {"better"});
        first.answers("first answer");
        RunOnStage second = sandbox.next();
        assertThat(ada.messages().nth(2)).containsText("better");
        second.answers("second answer");
        assertThat(ada.text("second answer")).isVisible();
    }

    @Test
    void aStoppedTurnPausesThemUntilThePersonGoesOn() throws Exception {
        ada.say("one");
        sandbox.next();
        ada.say("two");
        assertThat(queue()).hasCount(1);

        ada.button("Stop").click();

        ada.button("Resume").click();
        sandbox.next().answers("second answer");
        assertThat(ada.text("second answer")).isVisible();
        assertThat(queue()).hasCount(0);
    }

    private Locator queue() {
        return ada.page().locator(".queue-text");
    }
}
