package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComposerBrowserTest extends ScriptedPageTest {
    @Test
    void overPlainHttpFromAnotherMachineMessagesAndFilesAreSentAndCopied() throws Exception {
        URI address =
                URI.create("http://" + Chromium.INSECURE_HOST + ":" + server.url("").getPort());
        try (Visitor guest = Visitor.at(server, address, new Browser.NewContextOptions())) {
            assertThat(guest.page().evaluate("isSecureContext")).isEqualTo(false);
            guest.page()
                    .locator("input[type=file]")
                    .setInputFiles(new FilePayload("a.txt", "text/plain", new byte[] {65}));
            assertThat(guest.page().locator(".chip.done")).hasCount(1);
            guest.say("hello");
            sandbox.next().answers("so **bold**");
            assertThat(guest.messages().nth(1)).containsText("so bold");

            guest.messages().nth(1).getByLabel("Copy").click();

            assertThat(guest.button("Copied")).isVisible();
        }
    }

    @Test
    void enterSendsAndShiftEnterBeginsALine() throws Exception {
        ada.composer().fill("one");
        ada.composer().press("Shift+Enter");
        ada.composer().pressSequentially("two");
        assertThat(ada.composer()).hasValue("one\ntwo");

        ada.composer().press("Enter");

        assertThat(ada.messages().first()).containsText("one\ntwo");
        assertThat(ada.composer()).hasValue("");
        assertThat(sandbox.next().dispatch()).isNotNull();
    }

    @Test
    void enterThatChoosesACandidateOfAnInputMethodDoesNotSend() {
        ada.composer().fill("にほ");
        ada.composer()
                .evaluate(
                        "field => field.dispatchEvent(new KeyboardEvent('keydown',"
                                + " {key: 'Enter', isComposing: true, bubbles: true}))");

        assertThat(ada.composer()).hasValue("にほ");
        assertThat(ada.messages()).hasCount(0);
    }

    @Test
    void theFieldGrowsToTwelveLinesAndThenScrolls() {
        int empty = height();
        ada.composer().fill("line\n".repeat(5));
        int five = height();
        ada.composer().fill("line\n".repeat(12));
        int twelve = height();
        ada.composer().fill("line\n".repeat(60));

        assertThat(five).isGreaterThan(empty);
        assertThat(twelve).isGreaterThan(five);
        assertThat(height()).isLessThanOrEqualTo(twelve + 2);
    }

    @Test
    void theSendButtonSaysWhyItIsDisabled() {
        Locator send = ada.button("Send");
        assertThat(send).isDisabled();
        assertThat(send).hasAttribute("title", "Write a message first.");

        ada.composer().fill("something");

        assertThat(send).isEnabled();
    }

    @Test
    void filesCanBeSentWithoutTextAndSentAgain() throws Exception {
        attach("a.txt");
        assertThat(ada.button("Send")).isEnabled();

        ada.composer().press("Enter");

        RunOnStage run = sandbox.next();
        assertThat(run.dispatch().prompt()).isEqualTo("Attached: a.txt");
        run.answers("");
        ada.awaitEndOfTurn();
        assertThat(ada.messages().first()).containsText("a.txt");
        assertThat(ada.messages().first().locator(".user-text")).hasCount(0);
        assertThat(ada.messages().last()).containsText("The answer has no text.");
        assertThat(ada.page().locator("h1, .chat-title").first()).containsText("a.txt");

        ada.button("Retry").click();
        assertThat(sandbox.next().dispatch().prompt()).isEqualTo("Attached: a.txt");
    }

    @Test
    void aPausedSessionIsResumedFromTheRefusal() throws Exception {
        ada.say("hello");
        sandbox.next().answers("hi");
        ada.awaitEndOfTurn();
        server.post("/api/sessions/" + ada.chatId() + "/pause", Map.of());

        ada.say("go on");
        ada.button("Resume and send").click();

        assertThat(sandbox.next().dispatch().prompt()).isEqualTo("go on");
        assertThat(ada.composer()).hasValue("");
    }

    @Test
    void theComposerHasTheFocusFirstAndASlashBringsItBack() {
        assertThat(ada.composer()).isFocused();
        ada.page().locator("body").evaluate("() => document.activeElement.blur()");

        ada.page().keyboard().press("/");

        assertThat(ada.composer()).isFocused();
        assertThat(ada.composer()).hasValue("");
    }

    @Test
    void shiftEscapeBringsTheFocusBackFromAnotherFieldAndStopsNothing() throws Exception {
        ada.say("go");
        sandbox.next().stepStarts("a", "sh");
        ada.page().getByPlaceholder("Search chats").focus();

        ada.page().keyboard().press("Shift+Escape");

        assertThat(ada.composer()).isFocused();
        assertThat(ada.button("Stop")).isVisible();
        assertThat(ada.steps()).containsText("running");
    }

    @Test
    void theComposerHasTheFocusAgainAfterATurn() throws Exception {
        ada.say("hello");
        sandbox.next().answers("done");

        assertThat(ada.text("done")).isVisible();
        assertThat(ada.composer()).isFocused();
    }

    @Test
    void textAndFilesOfADraftSurviveAReload() {
        attach("notes.txt");
        ada.chatId();
        ada.composer().fill("half a tho");

        ada.page().reload();

        assertThat(ada.composer()).hasValue("half a tho");
        assertThat(ada.text("notes.txt")).isVisible();
    }

    @Test
    void arrowUpInTheEmptyComposerBringsTheLastMessageBack() throws Exception {
        ada.say("say it again");
        sandbox.next().answers("done");
        assertThat(ada.text("done")).isVisible();

        ada.composer().press("ArrowUp");

        assertThat(ada.composer()).hasValue("say it again");
    }

    @Test
    void aMessageThatCouldNotBeSentIsKeptWithItsFilesAndCanBeRetried() throws Exception {
        attach("notes.txt");
        ada.context().route("**/chat/stream", route -> route.abort());
        ada.say("please");

        assertThat(ada.text("The message was not sent.")).isVisible();
        assertThat(ada.composer()).hasValue("please");
        assertThat(ada.messages()).hasCount(0);

        ada.context().unroute("**/chat/stream");
        ada.button("Retry").click();

        sandbox.next().answers("now it works");
        assertThat(ada.text("now it works")).isVisible();
        assertThat(ada.messages().first()).containsText("notes.txt");
    }

    private void attach(String name) {
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(
                        new FilePayload(
                                name, "text/plain", "content".getBytes(StandardCharsets.UTF_8)));
        assertThat(ada.page().locator(".chip.done"))
                .containsText(name); // not before can it be sent
    }

    private int height() {
        return ((Number) ada.composer().evaluate("field => field.clientHeight")).intValue();
    }
}
