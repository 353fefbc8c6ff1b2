package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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

    /** A fast model fills the window several times before the page scrolls once. */
    @Test
    void aFastAnswerIsFollowedToItsEndAndItsTextStaysSelected() throws Exception {
        ada.say("tell me all");
        RunOnStage run = sandbox.next();
        delta(run, "The **first** words stay.\\n\\n");
        Locator words = ada.page().locator(".markdown p").first();
        assertThat(words).hasText("The first words stay.");
        words.evaluate("p => { p.marked = true; getSelection().selectAllChildren(p); }");

        run.sayAll(
                IntStream.range(0, 3_000)
                        .mapToObj(i -> "w" + i + (i % 40 == 39 ? ".\\n\\n" : " "))
                        .map(word -> "{\"type\":\"delta\",\"text\":\"%s\"}".formatted(word)));

        assertThat(ada.page().getByText("w2999.")).isInViewport();
        assertThat(ada.button("Jump to latest")).isHidden();
        assertThat(words.evaluate("p => p.marked")).isEqualTo(true);
        assertThat(ada.page().evaluate("getSelection().toString().trim()"))
                .isEqualTo("The first words stay.");
        run.hangsUp();
    }

    @Test
    void anAnswerOfSixThousandQuotesOpensAndTheRestOfTheChatToo() throws Exception {
        ada.say("quote");
        sandbox.next().answers(">".repeat(6_000) + " at the bottom\n\nand after it");

        assertThat(ada.text("and after it")).isVisible();
        ada.page().reload();
        assertThat(ada.text("and after it")).isVisible();
        assertThat(ada.messages()).hasCount(2);
    }

    @Test
    void formulasAreDrawnAndEachParagraphHasItsOwnDirection() throws Exception {
        ada.say("explain");
        sandbox.next().answers("so \\(a^2\\) holds\n\n$$\\sqrt{x}$$\n\nمرحبا بالعالم");

        assertThat(ada.page().locator(".markdown .katex").first()).isVisible();
        assertThat(ada.page().locator(".markdown .katex")).hasCount(2);
        ada.page().waitForFunction("() => document.fonts.check('16px KaTeX_Main')");
        assertThat(ada.page().locator(".markdown p").last()).hasCSS("direction", "rtl");
        assertThat(ada.complaints()).isEmpty();
    }

    @Test
    void diagramsAreDrawnAsPicturesThatReachNothing() throws Exception {
        List<String> requests = new ArrayList<>();
        ada.page().onRequest(request -> requests.add(request.url()));
        ada.page().onDialog(dialog -> requests.add("dialog " + dialog.message()));
        ada.say("draw it");
        sandbox.next()
                .answers(
                        """
                        ```mermaid
                        flowchart LR
                          A["<img src=http://127.0.0.1:9/x onerror=alert(1)>"] --> B[Report]
                          click A "javascript:alert(2)"
                          style B fill:url(http://127.0.0.1:9/y)
                        ```

                        ```mermaid
                        a kind of diagram that nobody knows
                        ```
                        """);

        Locator drawn = ada.page().locator(".diagram img.for-light");
        assertThat(drawn).hasCount(1); // the other one stays code
        ada.page()
                .waitForFunction(
                        "() => document.querySelector('.diagram img.for-light').naturalWidth > 50");
        Locator code = ada.page().locator(".code pre");
        assertThat(code.first()).isHidden();
        assertThat(code.last()).containsText("nobody knows");
        ada.button("Source").click();
        assertThat(code.first()).containsText("flowchart LR");
        assertThat(requests).noneMatch(url -> url.contains(":9/") || url.startsWith("dialog"));
        assertThat(ada.complaints()).isEmpty();
    }

    @Test
    void picturesAreShownInTheAnswerAndItsPathsOpenFiles() throws Exception {
        ada.say("plot it");
        RunOnStage run = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            String square = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'/>";
            calls.handIn(
                    run.dispatch(),
                    new MultipartBody()
                            .file("plot.svg", square)
                            .file("second.svg", square)
                            .file("totals.csv", "a,b\n1,2\n"));
        }
        run.answers("![The plot](assets/plot.svg) and [totals](assets/totals.csv) ![gone](no.png)");

        Locator inText = ada.page().locator(".markdown img");
        assertThat(inText).hasCount(1); // the one that is not there is its text
        assertThat(ada.page().locator(".markdown")).containsText("gone");
        ada.page()
                .waitForFunction(
                        "() => document.querySelector('.markdown img').naturalWidth == 40");
        assertThat(ada.page().locator(".pictures img")).hasAttribute("alt", "second.svg");
        inText.click();
        assertThat(ada.page().locator(".preview")).containsText("plot.svg");
        ada.page().keyboard().press("Escape");
        ada.page().locator(".markdown a").click();
        assertThat(ada.page().locator(".preview td").first()).hasText("1");
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
    void anAnswerCanBeRetriedAndItsQuestionEditedAndTheVersionsStay() throws Exception {
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(new FilePayload("rules.txt", "text/plain", new byte[] {65}));
        assertThat(ada.page().locator(".chip.done")).hasCount(1);
        ada.say("roll a die");
        sandbox.next().answers("three");
        assertThat(ada.text("three")).isVisible();
        ada.composer().fill("a draft");

        ada.button("Retry").click();
        sandbox.next().answers("five");
        assertThat(ada.text("five")).isVisible();
        assertThat(ada.messages()).hasCount(2);
        assertThat(ada.messages().first()).containsText("rules.txt");
        ada.button("Previous version").click();
        assertThat(ada.text("three")).isVisible();
        assertThat(ada.text("five")).hasCount(0);
        ada.button("Next version").click();
        assertThat(ada.text("five")).isVisible();

        ada.button("Edit").click();
        Locator field = ada.page().getByLabel("Edited message");
        assertThat(field).hasValue("roll a die");
        field.fill("roll two");
        field.press("Enter");
        sandbox.next().answers("nine");
        assertThat(ada.text("nine")).isVisible();
        assertThat(ada.messages()).hasCount(2);
        assertThat(ada.messages().first()).containsText("rules.txt");
        assertThat(ada.composer()).hasValue("a draft");

        ada.messages().first().getByLabel("Previous version").click();
        assertThat(ada.page().locator(".user-text")).hasText("roll a die");
        assertThat(ada.text("five")).isVisible();
        ada.page().reload();
        assertThat(ada.text("five")).isVisible();
        assertThat(ada.text("nine")).hasCount(0);
    }

    @Test
    void anAnswerIsCopiedAsItsMarkdown() throws Exception {
        ada.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        ada.say("bold");
        sandbox.next().answers("so **bold**");
        ada.messages().nth(1).getByLabel("Copy").click();

        assertThat(ada.button("Copied")).isVisible();
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

    private static void delta(RunOnStage run, String text) {
        run.say("{\"type\":\"delta\",\"text\":\"%s\"}".formatted(text));
    }
}
