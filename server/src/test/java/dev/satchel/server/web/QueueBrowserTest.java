package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

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

    @Test
    void theRunningAgentHearsOneOfThemNow() throws Exception {
        ada.say("one");
        RunOnStage first = sandbox.next().stepStarts("a", "sh");
        ada.say("two");
        ada.say("three");
        assertThat(queue()).hasCount(2);

        ada.button("Steer now: three").click();

        assertThat(ada.page().locator(".queue-item").nth(1)).containsText("Heard next");
        assertThat(ada.button("Steer now: three")).hasCount(0);
        JsonNode waiting =
                server.getJson("/api/assistant/chats/" + ada.chatId() + "/queue").at("/messages/1");
        Map<String, String> heard =
                Map.of(
                        "type",
                        "steer",
                        "messageId",
                        waiting.get("messageId").stringValue(),
                        "text",
                        "three");
        first.stepSucceeds("a", "sh").say(Json.MAPPER.writeValueAsString(heard));
        first.stepStarts("b", "view").stepSucceeds("b", "view").answers("first answer");
        assertThat(queue()).hasCount(0);
        assertThat(ada.messages()).hasCount(3);
        String answer = ada.messages().nth(1).innerText();
        assertThat(ada.messages().nth(1).locator(".steer")).hasText("three");
        Assertions.assertThat(answer.indexOf("three")).isLessThan(answer.indexOf("first answer"));
        sandbox.next().answers("second answer");
        assertThat(ada.text("second answer")).isVisible();
    }

    @Test
    void aMessageIsQueuedOrSteersByTwoButtons() throws Exception {
        ada.say("one");
        RunOnStage first = sandbox.next().stepStarts("a", "sh");
        assertThat(ada.button("Steer")).isHidden();
        ada.composer().fill("in German please");
        ada.button("Steer").click();
        assertThat(queue()).hasText("in German please");
        assertThat(ada.page().locator(".queue-item")).containsText("Heard next");

        ada.composer().fill("later");
        ada.button("Queue").click();

        assertThat(queue()).hasCount(2);
        assertThat(ada.page().locator(".queue-item").nth(1)).not().containsText("Heard next");
        assertThat(ada.composer()).hasValue("");
        ada.button("Remove later").click();
        ada.button("Remove in German please").click();
        assertThat(queue()).hasCount(0);
        first.stepSucceeds("a", "sh").answers("first answer");
        ada.awaitEndOfTurn();
    }

    @Test
    void oneThatIsTooLongToBeHeardKeepsItsTurn() throws Exception {
        ada.say("one");
        RunOnStage first = sandbox.next();
        ada.say("x".repeat(20_000));
        assertThat(queue()).hasCount(1);

        ada.text("Steer now").click();

        assertThat(ada.page().locator(".toast")).containsText("It keeps its own turn.");
        first.answers("first answer");
        sandbox.next().answers("second answer");
        assertThat(ada.text("second answer")).isVisible();
    }

    @Test
    void theirButtonsAreInReachOnAPhone() throws Exception {
        ada.page().setViewportSize(390, 800);
        ada.say("one");
        RunOnStage first = sandbox.next();
        ada.say("a message that is much longer than the line of a phone has room for");
        Locator remove = ada.page().locator(".queue-item [title=Remove]");
        assertThat(remove).isVisible();

        BoundingBox box = remove.boundingBox();

        Assertions.assertThat(box.x + box.width).isLessThan(390);
        first.answers("first answer");
        sandbox.next().answers("second answer");
        assertThat(ada.text("second answer")).isVisible();
    }

    private Locator queue() {
        return ada.page().locator(".queue-text");
    }
}
