package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OverallBrowserTest extends ScriptedTest {
    private static final String WITH_MODEL =
            """
            {"version": "1", "runner": "own", "model": {"provider": "anthropic", "name": "claude-opus"},
             "limits": {"maxFileBytes": 1, "maxFiles": 1, "maxBytes": 1}}
            """;

    @Test
    void whoeverIsNotLoggedInIsToldHow() {
        try (var context = Chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(server.url("/").toString());

            assertThat(page.getByText("./satchel login-link")).isVisible();
        }
    }

    @Test
    void aLoginLinkThatWasUsedSaysWhatToDoInTheStyleOfThePage() throws Exception {
        try (var context = Chromium.browser().newContext()) {
            Page page = context.newPage();
            page.navigate(server.url("/login?token=used").toString());

            assertThat(page.getByText("./satchel login-link")).isVisible();
            assertThat(page.locator("a.button")).hasCSS("display", "flex");
        }
    }

    /** Rows of chats are one stop of Tab each. */
    @Test
    void theListOfChatsIsSkippedAndItsRowsAreReachedByArrows() throws Exception {
        conversation("plan the garden", "ok");
        conversation("fix the roof", "ok");
        try (Visitor ada = Visitor.of(server)) {
            assertThat(ada.page().locator(".chat-row")).hasCount(2);
            ada.page().locator("a").first().press("Enter");
            assertThat(ada.composer()).isFocused();

            assertThat(ada.page().locator(".list-part")).hasText("Today");
            Locator first = ada.page().locator(".chat-row a").first();
            first.focus();
            ada.page().keyboard().press("Tab");
            Locator second = ada.page().locator(".chat-row a").last();
            assertThat(second).isFocused();
            ada.page().keyboard().press("ArrowUp");
            ada.page().keyboard().press("ArrowRight");
            assertThat(ada.button("Rename fix the roof")).isFocused();
            ada.page().keyboard().press("ArrowLeft");
            assertThat(first).isFocused();
            ada.page().keyboard().press("F2");
            assertThat(ada.page().getByLabel("New title")).isFocused();
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

    /** A window of 1280 by 800 pixels at 200 %, as a page sees it. */
    @Test
    void atTwoHundredPercentEverythingIsReached() throws Exception {
        conversation("hello", "Hi.\n\n" + "A long line. ".repeat(60));
        Browser.NewContextOptions zoomed =
                new Browser.NewContextOptions().setViewportSize(640, 400).setDeviceScaleFactor(2);
        try (Visitor ada = Visitor.at(server, server.url(""), zoomed)) {
            ada.open("/chats/" + newestChat());
            assertThat(ada.text("Hi.")).isVisible();
            assertThat(ada.composer()).isInViewport();
            assertThat(ada.button("Send")).isInViewport();
            assertThat(width(ada.page())).isLessThanOrEqualTo(640);

            ada.button("Files").click();
            assertThat(ada.text("Workspace")).isInViewport();
            for (String page : List.of("/settings", "/usage", "/storage", "/agents")) {
                ada.open(page);
                assertThat(ada.page().locator("h1")).isVisible();
                assertThat(width(ada.page())).as(page).isLessThanOrEqualTo(640);
            }
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

            assertThat(ada.page().locator(".starting-page")).isVisible();
            assertThat(ada.composer()).hasCount(0);
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
    void aChatIsRenamedInItsHeaderToo() throws Exception {
        conversation("plan the garden", "ok");
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/chats/" + newestChat());
            ada.page().locator(".bar .title-button").click(); // there when the chat is
            ada.page().getByLabel("New title").fill("never");
            ada.page().getByLabel("New title").press("Escape");
            ada.page().locator(".bar .title-button").click(); // there when the chat is
            ada.page().getByLabel("New title").fill("Spring");
            ada.page().getByLabel("New title").press("Enter");

            assertThat(ada.page().locator(".bar h2")).hasText("Spring");
            assertThat(ada.page().locator(".chat-row .chat-title")).hasText("Spring");
            ada.page().reload();
            assertThat(ada.page().locator(".bar h2")).hasText("Spring");
        }
    }

    @Test
    void aChatIsExportedFromItsHeader() throws Exception {
        conversation("count", "one, two");
        try (Visitor ada = Visitor.of(server)) {
            ada.page().locator(".chat-row a").first().click();
            assertThat(ada.text("one, two")).isVisible();
            ada.button("More about this chat").click();

            Download markdown =
                    ada.page().waitForDownload(() -> ada.text("Export as Markdown").click());

            assertThat(Files.readString(markdown.path()))
                    .startsWith("# count")
                    .contains("one, two");
        }
    }

    @Test
    void theListOfChatsCanBeHidden() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.button("Hide the list of chats").click();
            assertThat(ada.page().getByPlaceholder("Search chats")).isHidden();
            ada.page().reload();
            assertThat(ada.composer()).isVisible();
            assertThat(ada.page().getByPlaceholder("Search chats")).isHidden();

            ada.button("Open menu").click();
            assertThat(ada.page().getByPlaceholder("Search chats")).isVisible();
            ada.page().keyboard().press("Control+b");
            assertThat(ada.page().getByPlaceholder("Search chats")).isHidden();
            ada.page().keyboard().press("Control+k");
            assertThat(ada.page().getByPlaceholder("Search chats")).isFocused();
        }
    }

    @Test
    void anEmptyStartNamesItsModelAndFourThingsToTry() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            withModel(ada);
            ada.open("/");

            assertThat(ada.page().getByText("claude-opus answers.")).isVisible();
            assertThat(ada.page().locator(".examples button")).hasCount(4);
            ada.page().getByText("Understand a table").click();
            assertThat(ada.composer()).hasValue(Pattern.compile("^Look at the attached table.*"));
        }
    }

    @Test
    void aRefusalNamesItsRequestForWhoeverReadsTheLogs() throws Exception {
        conversation("plan the garden", "ok");
        try (Visitor ada = Visitor.of(server)) {
            ada.button("Rename plan the garden").click();
            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + newestChat());
            ada.page().getByLabel("New title").fill("Spring");
            Response refused =
                    ada.page()
                            .waitForResponse(
                                    response -> response.request().method().equals("PATCH"),
                                    () -> ada.page().getByLabel("New title").press("Enter"));

            String id = refused.headerValue("x-request-id");
            assertThat(id).isNotBlank();
            assertThat(ada.page().locator(".toast.error"))
                    .containsText("The chat was not renamed.");
            assertThat(ada.page().locator(".toast.error")).containsText("(request " + id + ")");
        }
    }

    @Test
    void theSettingsNameTheModelThatAnswers() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            withModel(ada);
            ada.open("/settings");

            assertThat(ada.page().getByText("claude-opus by anthropic")).isVisible();
            assertThat(ada.page().getByText("offline agent")).isHidden();
        }
    }

    @Test
    void theStoragePageShowsWhatIsKeptAndWhereMostOfItLies() throws Exception {
        conversation("plan the garden", "ok");
        server.upload(newestChat(), "a.txt", "x".repeat(1_500));
        try (Visitor ada = Visitor.of(server)) {
            ada.page().getByText("Storage").click();

            assertThat(ada.page().locator(".storage-total")).hasText("1.5 KB in total");
            assertThat(ada.page().locator(".storage-kinds > div").first())
                    .containsText("1.5 KB 1 file");
            assertThat(ada.text("10, 20 MB together")).isVisible();
            assertThat(ada.text("30 days")).isVisible();
            ada.page().locator(".rows").getByText("plan the garden").click();
            assertThat(ada.text("ok")).isVisible();
        }
    }

    @Test
    void theStoragePageShowsWhenADeletedChatIsErased() throws Exception {
        conversation("plan the garden", "ok");
        server.upload(newestChat(), "a.txt", "x".repeat(1_500));
        server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + newestChat());
        try (Visitor ada = Visitor.of(server)) {
            ada.page().getByText("Storage").click();

            assertThat(ada.page().locator(".rows .badge")).containsText("deleted, erased on ");
        }
    }

    @Test
    void aChatThatIsNotThereSaysSo() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.page().navigate(server.url("/chats/" + java.util.UUID.randomUUID()).toString());
            assertThat(ada.text("No such chat")).isVisible();
        }
    }

    private static void withModel(Visitor visitor) {
        visitor.context()
                .route(
                        "**/api/settings",
                        route ->
                                route.fulfill(
                                        new Route.FulfillOptions()
                                                .setContentType("application/json")
                                                .setBody(WITH_MODEL)));
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

    private static int width(Page page) {
        return ((Number) page.evaluate("document.documentElement.scrollWidth")).intValue();
    }

    private static String background(Page page) {
        return String.valueOf(
                page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
    }
}
