package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadingBrowserTest extends ScriptedPageTest {
    @Test
    void theThreadFollowsItsEndOnlyWhileItsReaderIsThere() throws Exception {
        ada.say("write much");
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"delta\",\"text\":\"%s\"}".formatted("line\\n\\n".repeat(80)));
        assertThat(ada.button("Jump to latest")).isHidden();
        Locator thread = ada.page().locator(".thread");
        ada.page().waitForFunction("() => document.querySelector('.thread').scrollTop > 0");

        thread.evaluate("t => t.scrollTo(0, 0)");
        assertThat(ada.button("Jump to latest")).isVisible();
        run.answers("line\n\n".repeat(80) + "the very end");
        assertThat(ada.button("Retry")).isAttached();
        assertThat(ada.text("the very end")).not().isInViewport();

        ada.button("Jump to latest").click();

        assertThat(ada.text("the very end")).isInViewport();
        assertThat(ada.button("Jump to latest")).isHidden();
    }

    @Test
    void markdownHasHeadingsTablesAndCodeWithItsLanguage() throws Exception {
        ada.say("explain");
        sandbox.next()
                .answers(
                        "## Heading\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nprint(1)\n```\n");

        assertThat(ada.page().locator(".markdown h2")).hasText("Heading");
        assertThat(ada.page().locator(".markdown .table td").first()).hasText("1");
        assertThat(ada.page().locator(".code-head span")).hasText("python");
        ada.page().locator("[data-code=wrap]").click();
        assertThat(ada.page().locator("[data-code=wrap]")).hasAttribute("aria-pressed", "true");
    }

    @Test
    void whatAModelWritesCanNeitherRunNorLoadAnything() throws Exception {
        List<String> requests = new ArrayList<>();
        ada.page().onRequest(request -> requests.add(request.url()));
        ada.page().onDialog(dialog -> requests.add("dialog " + dialog.message()));
        ada.say("attack");
        sandbox.next()
                .answers(
                        """
                        <script>alert(1)</script> <img src=x onerror="alert(2)">
                        ![x](http://127.0.0.1:9/steal.png) [click](javascript:alert(3))

                        <iframe src="http://127.0.0.1:9/"></iframe> and the end""");

        assertThat(ada.page().locator(".markdown").last()).containsText("and the end");
        assertThat(ada.page().locator(".markdown :is(script, img, iframe)")).hasCount(0);
        assertThat(ada.text("click")).not().hasAttribute("href", Pattern.compile(".*"));
        assertThat(requests).noneMatch(url -> url.contains(":9/") || url.startsWith("dialog"));
    }

    @Test
    void anAnswerCanBeRetriedAndItsQuestionEdited() throws Exception {
        ada.say("roll a die");
        sandbox.next().answers("three");
        assertThat(ada.text("three")).isVisible();

        ada.button("Retry").click();
        sandbox.next().answers("five");
        assertThat(ada.text("five")).isVisible();
        assertThat(ada.messages()).hasCount(4);

        ada.button("Edit").click();
        assertThat(ada.composer()).hasValue("roll a die");
    }

    @Test
    void anAnswerIsCopiedAsItsMarkdown() throws Exception {
        ada.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        ada.say("bold");
        sandbox.next().answers("so **bold**");
        ada.messages().nth(1).getByText("Copy").click();

        assertThat(ada.text("Copied")).isVisible();
        assertThat(ada.page().evaluate("navigator.clipboard.readText()")).isEqualTo("so **bold**");
    }

    @Test
    void aMessageTellsItsAgeAndOnHoverItsTime() throws Exception {
        ada.say("when");
        sandbox.next().answers("now");
        Locator time = ada.messages().nth(1).locator("time");

        assertThat(time).hasText("just now");
        assertThat(time).hasAttribute("title", Pattern.compile(".*20\\d\\d.*"));
    }

    @Test
    void aLongThreadIsReadInPagesAndKeepsItsPlace() throws Exception {
        String chat = server.newChat();
        for (int turn = 1; turn <= 30; turn++) {
            try (TestServer.Events events =
                    server.turn(Map.of("chatId", chat, "message", "question " + turn))) {
                sandbox.next().answers("answer " + turn);
                events.rest();
            }
        }
        ada.open("/chats/" + chat);
        assertThat(ada.messages()).hasCount(50);
        assertThat(ada.text("answer 30")).isInViewport();

        ada.button("Load older messages").click();

        assertThat(ada.messages()).hasCount(60);
        assertThat(ada.page().locator(".user-text").first()).hasText("question 1");
        assertThat(ada.button("Load older messages")).isHidden();
    }
}
