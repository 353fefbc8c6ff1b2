package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OverallBrowserTest {
    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void whoeverIsNotLoggedInIsToldHow() {
        try (var context = Chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(server.url("/").toString());

            assertThat(page.getByText("./satchel login-link")).isVisible();
        }
    }

    @Test
    void questionMarkOpensTheListOfShortcutsAndEscapeClosesIt() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.page().locator("body").evaluate("() => document.activeElement.blur()");
            ada.page().keyboard().press("?");
            assertThat(ada.text("Keyboard shortcuts")).isVisible();

            ada.page().keyboard().press("Escape");

            assertThat(ada.text("Keyboard shortcuts")).isHidden();
        }
    }

    @Test
    void everythingIsReachedByTabAndNothingTrapsIt() throws Exception {
        conversation("hello", "# Hi\n\n```sh\nls\n```");
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/chats/" + newestChat());
            assertThat(ada.text("Hi")).isVisible();
            assertThat(ada.composer()).isFocused();
            String reached = tabThrough(ada.page(), 40);

            assertThat(reached)
                    .contains(
                            "New chat",
                            "Search chats",
                            "Settings",
                            "Files",
                            "Copy",
                            "Attach files");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void axeFindsNothingSerious(ColorScheme scheme) throws Exception {
        conversation("hello", "# Hi\n\n| a |\n|---|\n| 1 |\n\n```sh\nls\n```");
        try (Visitor ada = Visitor.of(server, 1280, scheme)) {
            assertThat(seriousFindings(ada.page())).isEqualTo(List.of());
            ada.open("/chats/" + newestChat());
            assertThat(ada.text("Hi")).isVisible();
            ada.button("Files").click();
            assertThat(ada.text("Workspace")).isVisible();
            ada.page().locator(".steps-summary").click();
            assertThat(seriousFindings(ada.page())).isEqualTo(List.of());
            for (String path : List.of("/settings", "/assets", "/agents")) {
                ada.open(path);
                assertThat(ada.page().locator("h1")).isVisible();
                assertThat(seriousFindings(ada.page())).as(path).isEqualTo(List.of());
            }
            assertThat(ada.complaints()).noneMatch(text -> text.contains("Content Security"));
        }
    }

    @Test
    void aPhoneHasNoSidewaysScrollAndItsMenuIsADrawer() throws Exception {
        conversation("hello", "| " + "wide | ".repeat(30) + "\n|" + "---|".repeat(30) + "\n");
        try (Visitor ada = Visitor.of(server, 360, ColorScheme.LIGHT)) {
            ada.open("/chats/" + newestChat());
            assertThat(ada.page().locator(".table")).isVisible();
            assertThat(width(ada.page())).isLessThanOrEqualTo(360);
            assertThat(ada.page().getByPlaceholder("Search chats")).not().isInViewport();

            ada.button("Open menu").click();
            assertThat(ada.page().getByPlaceholder("Search chats")).isInViewport();
            ada.page().keyboard().press("Escape");
            assertThat(ada.page().getByPlaceholder("Search chats")).not().isInViewport();
            ada.button("Files").click();
            assertThat(ada.text("Workspace")).isInViewport();
            assertThat(width(ada.page())).isLessThanOrEqualTo(360);
        }
    }

    @Test
    void aThemeThatWasChosenIsThereBeforeTheFirstPaint() throws Exception {
        try (Visitor ada = Visitor.of(server, 1280, ColorScheme.LIGHT)) {
            ada.open("/settings");
            ada.page().getByText("Dark").click();
            assertThat(ada.page().locator("html")).hasAttribute("data-theme", "dark");
            String dark = background(ada.page());

            ada.context().route("**/assets/*.js", route -> {}); // the page's own script never runs
            ada.page()
                    .navigate(
                            server.url("/settings").toString(),
                            new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));

            assertThat(ada.page().locator("#root")).isAttached();
            assertThat(ada.page().locator("#root > *")).hasCount(0);
            assertThat(background(ada.page())).isEqualTo(dark);
        }
    }

    @Test
    void chatsAreFoundRenamedDeletedAndBroughtBack() throws Exception {
        conversation("plan the garden", "ok");
        conversation("fix the roof", "ok");
        try (Visitor ada = Visitor.of(server)) {
            Locator rows = ada.page().locator(".chat-row");
            assertThat(rows).hasCount(2);
            ada.page().getByPlaceholder("Search chats").fill("GARD");
            assertThat(rows).hasCount(1);
            ada.page().getByPlaceholder("Search chats").fill("");

            ada.button("Rename plan the garden").click();
            ada.page().getByLabel("New title").fill("Spring");
            ada.page().getByLabel("New title").press("Enter");
            assertThat(rows.first().or(rows.last()).getByText("Spring")).isVisible();

            ada.button("Delete Spring").click();
            assertThat(ada.text("Deleted “Spring”.")).isVisible();
            assertThat(rows).hasCount(1);
            ada.button("Undo").click();
            assertThat(rows).hasCount(2);
        }
    }

    @Test
    void aRunsTraceIsFilteredByLevelAndSearched() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "go"))) {
            sandbox.next()
                    .say(
                            "{\"type\":\"log\",\"level\":\"debug\",\"message\":\"a small thing\",\"ts\":1}")
                    .say(
                            "{\"type\":\"log\",\"level\":\"warn\",\"message\":\"mind the gap\",\"ts\":2}")
                    .stepStarts("a", "sh")
                    .stepSucceeds("a", "sh")
                    .answers("done");
            events.rest();
        }
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/chats/" + chat);
            ada.page().getByText("Trace").click();
            Locator lines = ada.page().locator(".trace-line");
            assertThat(lines).hasCount(7);
            ada.page().getByText("warn+").click();
            assertThat(lines).hasCount(1);
            assertThat(lines).containsText("mind the gap");

            ada.page().getByText("Everything").click();
            ada.page().getByPlaceholder("Search lines").fill("small");
            assertThat(lines).hasCount(1);
            assertThat(ada.page().getByText("NDJSON"))
                    .hasAttribute("href", Pattern.compile("/api/runs/.*/trace"));
        }
    }

    @Test
    void aChatThatIsNotThereSaysSo() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.page().navigate(server.url("/chats/" + java.util.UUID.randomUUID()).toString());
            assertThat(ada.text("No such chat")).isVisible();
        }
    }

    private void conversation(String message, String answer) throws Exception {
        try (TestServer.Events events = server.turn(Map.of("message", message))) {
            sandbox.next().stepStarts("s", "sh").stepSucceeds("s", "sh").answers(answer);
            events.rest();
        }
    }

    private String newestChat() throws Exception {
        return server.getJson("/api/assistant/chats").at("/chats/0/id").stringValue();
    }

    /** What had the focus, one after the other. */
    private static String tabThrough(Page page, int times) {
        StringBuilder reached = new StringBuilder();
        for (int i = 0; i < times; i++) {
            page.keyboard().press("Tab");
            reached.append(
                            page.evaluate(
                                    "(document.activeElement.getAttribute('aria-label') ?? '')"
                                            + " + ' ' + document.activeElement.textContent"))
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

    private static int width(Page page) {
        return ((Number) page.evaluate("document.documentElement.scrollWidth")).intValue();
    }

    private static String background(Page page) {
        return String.valueOf(
                page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
    }
}
