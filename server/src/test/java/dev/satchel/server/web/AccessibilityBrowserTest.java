package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessibilityBrowserTest extends ScriptedTest {
    /** Files, and what their previews have when they are shown. */
    private static final Map<String, String> PARTS_OF_PREVIEWS =
            Map.of(
                    "totals.csv", "th",
                    "page.html", "iframe",
                    "notes.md", ".katex",
                    "cells.ipynb", ".cell h1");

    private static final String LIVE_REGION = "[aria-live=polite].visually-hidden";

    @Test
    void everythingIsReachedByTabAndNothingTrapsIt() throws Exception {
        String chat = conversation();
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/chats/" + chat);
            assertThat(ada.text("Hi")).isVisible();
            assertThat(ada.composer()).isFocused();
            String reached = tabThrough(ada.page(), 40);

            assertThat(reached)
                    .contains("New chat", "Search chats", "Storage", "Settings")
                    .contains("Files", "Copy", "Attach files")
                    .doesNotContain("without a visible focus");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void axeFindsNothingSerious(ColorScheme scheme) throws Exception {
        String chat = conversation();
        String file = server.upload(chat, "notes.txt", "hello").get("name").stringValue();
        try (Visitor ada = Visitor.of(server, 1280, scheme)) {
            assertThat(seriousFindings(ada.page())).as("first").isEqualTo(List.of());
            ada.open("/chats/" + chat);
            assertThat(ada.text("Hi")).isVisible();
            ada.button("Files").click();
            assertThat(ada.text("Workspace")).isVisible();
            ada.page().locator(".steps-summary").click();
            assertThat(ada.page().locator(".katex").first()).isVisible();
            assertThat(ada.page().locator(".diagram")).isVisible();
            assertThat(seriousFindings(ada.page())).as("chat").isEqualTo(List.of());
            ada.button("More about this chat").click();
            assertThat(ada.text("Export as Markdown")).isVisible();
            assertThat(seriousFindings(ada.page())).as("menu").isEqualTo(List.of());
            ada.page().keyboard().press("Escape");
            ada.page().locator(".bag").getByText(file).click();
            assertThat(ada.page().locator("dialog.preview")).containsText("hello");
            assertThat(seriousFindings(ada.page())).as("preview").isEqualTo(List.of());
            ada.page().keyboard().press("Escape");
            ada.page().getByPlaceholder("Search chats").fill("hi");
            assertThat(ada.page().locator(".hit").first()).isVisible();
            assertThat(seriousFindings(ada.page())).as("search").isEqualTo(List.of());
            ada.page().getByPlaceholder("Search chats").fill("");
            ada.openTrace();
            assertThat(ada.page().locator(".trace-line").first()).isVisible();
            assertThat(seriousFindings(ada.page())).as("trace").isEqualTo(List.of());
            for (String path :
                    List.of(
                            "/settings",
                            "/asks",
                            "/storage",
                            "/usage",
                            "/assets",
                            "/agents",
                            "/credentials",
                            "/skills",
                            "/connect")) {
                ada.open(path);
                assertThat(ada.page().locator("h1")).isVisible();
                ada.page().waitForLoadState(com.microsoft.playwright.options.LoadState.NETWORKIDLE);
                assertThat(seriousFindings(ada.page())).as(path).isEqualTo(List.of());
            }
            ada.open("/credentials");
            ada.button("New credential").click();
            assertThat(seriousFindings(ada.page())).as("credential").isEqualTo(List.of());
            ada.open("/agents");
            ada.button("New agent").click();
            ada.button("Add MCP server").click();
            ada.button("Add header").click();
            ada.button("Add permission").click();
            assertThat(seriousFindings(ada.page())).as("agent").isEqualTo(List.of());
            ada.open("/settings");
            assertThat(ada.page().locator("h1")).isVisible();
            ada.page().keyboard().press("?");
            assertThat(ada.text("Keyboard shortcuts")).isVisible();
            assertThat(seriousFindings(ada.page())).as("shortcuts").isEqualTo(List.of());
            assertThat(ada.complaints()).noneMatch(text -> text.contains("Content Security"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void axeFindsNothingSeriousWhileATurnWorksAndInPreviews(ColorScheme scheme) throws Exception {
        String chat = server.newChat();
        server.upload(chat, "totals.csv", "a,b\n1,2\n");
        server.upload(chat, "page.html", "<h1>Report</h1>");
        server.upload(chat, "notes.md", "# Notes\n\n- [ ] one\n\n$x$");
        server.upload(
                chat,
                "cells.ipynb",
                "{\"nbformat\":4,\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"# Hi\"}]}");
        try (Visitor ada = Visitor.of(server, 1440, scheme)) {
            ada.open("/chats/" + chat);
            ada.say("go");
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"thinking\",\"text\":\"They want a list.\"}");
            run.stepStarts("a", "sh");
            run.say(
                    "{\"type\":\"output\",\"id\":\"a\",\"stream\":\"stderr\",\"text\":\"\\u001b[31mred\\u001b[0m\\n\"}");
            ada.page().locator(".thinking button").click();
            assertThat(ada.page().locator(".terminal")).containsText("red");
            ada.composer().fill("and then");
            ada.composer().press("Enter");
            assertThat(ada.page().locator(".queue-item")).hasCount(1);
            assertThat(seriousFindings(ada.page())).as("working").isEqualTo(List.of());
            ada.button("Files").click();
            for (Map.Entry<String, String> part : PARTS_OF_PREVIEWS.entrySet()) {
                ada.page().locator(".bag").getByText(part.getKey()).click();
                assertThat(ada.page().locator(".preview " + part.getValue()).first()).isVisible();
                assertThat(seriousFindings(ada.page())).as(part.getKey()).isEqualTo(List.of());
                ada.page().keyboard().press("Escape");
            }
            run.hangsUp();
        }
    }

    @Test
    void stepsAreSpokenWhenTheyBeginAndEndAndNotAtEveryTick() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.say("go");
            RunOnStage run = sandbox.next().stepStarts("a", "sh");
            Locator spoken = ada.page().locator(LIVE_REGION);
            assertThat(spoken).hasText("sh running");
            ada.page()
                    .evaluate(
                            """
                            region => {
                              window.spoken = 0;
                              new MutationObserver(all => window.spoken += all.length).observe(
                                document.querySelector(region),
                                {subtree: true, childList: true, characterData: true});
                            }
                            """,
                            LIVE_REGION);
            for (int tick = 0; tick < 3; tick++) {
                String before = ada.steps().locator(".step-time").textContent();
                assertThat(ada.steps().locator(".step-time")).not().hasText(before);
            }
            assertThat(ada.page().evaluate("window.spoken")).isEqualTo(0);

            run.stepSucceeds("a", "sh");

            assertThat(spoken).hasText("sh done");
            run.answers("well");
            assertThat(spoken).hasText("Satchel has answered");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDUCE", "NO_PREFERENCE"})
    void whoeverWantsLessMotionGetsNone(ReducedMotion wish) throws Exception {
        Browser.NewContextOptions options = new Browser.NewContextOptions().setReducedMotion(wish);
        try (Visitor ada = Visitor.at(server, server.url(""), options)) {
            ada.say("go");
            sandbox.next().stepStarts("a", "sh");
            Locator spinner = ada.steps().locator(".spinner");
            assertThat(spinner).isVisible();

            assertThat(spinner.evaluate("it => getComputedStyle(it).animationName"))
                    .isEqualTo(wish == ReducedMotion.REDUCE ? "none" : "turn");
        }
    }

    private String conversation() throws Exception {
        String answer =
                "# Hi\n\n| a |\n|---|\n| 1 |\n\n```sh\nls\n```\n\n- [x] task\n\n$$x^2$$\n\n"
                        + "```mermaid\nflowchart LR\n  A --> B\n```";
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "hello"))) {
            sandbox.next().stepStarts("s", "sh").stepSucceeds("s", "sh").answers(answer);
            events.rest();
        }
        return chat;
    }

    /** What had the focus, one after the other, and whether that could be seen. */
    private static String tabThrough(Page page, int times) {
        StringBuilder reached = new StringBuilder();
        for (int i = 0; i < times; i++) {
            page.keyboard().press("Tab");
            reached.append(
                            page.evaluate(
                                    """
                                    () => {
                                      const it = document.activeElement;
                                      const seen = [it, it.closest('label, form'), it.nextElementSibling]
                                        .some(box => box && (getComputedStyle(box).outlineStyle !== 'none'
                                          || box.matches('.search:focus-within, .composer:focus-within')));
                                      const name = it.getAttribute('aria-label') ?? it.textContent;
                                      return name + (seen || it === document.body ? '' : ' without a visible focus');
                                    }
                                    """))
                    .append('\n');
        }
        return reached.toString();
    }

    /** The page as axe sees it; its script is evaluated, not loaded, so the policy stands. */
    private static Object seriousFindings(Page page) throws Exception {
        page.evaluate(
                Files.readString(Path.of("..", "web", "node_modules", "axe-core", "axe.min.js")));
        return page.evaluate(
                """
                async () => (await axe.run({resultTypes: ['violations']})).violations
                    .filter(found => ['serious', 'critical'].includes(found.impact))
                    .map(found => found.id + ' ' + found.nodes.map(node => node.target + ' '
                        + node.failureSummary).join('; '))
                """);
    }
}
