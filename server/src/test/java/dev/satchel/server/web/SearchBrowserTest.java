package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The search of the sidebar. */
class SearchBrowserTest extends ScriptedTest {
    @Test
    void aHitOpensTheChatAtTheMessage() throws Exception {
        String chat = turn(null, "Where do walruses <b>sleep</b>?", "They sleep on *ice floes*.");
        for (int i = 0; i < 25; i++) {
            turn(chat, "question " + i, "line\n\n".repeat(20));
        }
        try (Visitor ada = Visitor.of(server)) {
            ada.page().keyboard().press("Control+k");
            assertThat(search(ada)).isFocused();
            ada.page().keyboard().type("walruses sleep");
            Locator hit = ada.page().locator(".hit");
            assertThat(hit).hasCount(1);
            assertThat(hit).containsText("You: Where do walruses <b>sleep</b>?");
            assertThat(hit.locator("mark")).hasText(new String[] {"walruses", "sleep"});

            hit.click();

            Locator message = ada.page().locator("article.message").first();
            assertThat(message).containsText("Where do walruses");
            assertThat(message).isInViewport();
            assertThat(message).isFocused();
            assertThat(ada.messages()).hasCount(52);
        }
    }

    @Test
    void aHitInAnotherVersionOfTheChatIsShownThere() throws Exception {
        String chat = turn(null, "Where do walruses sleep?", "On ice floes.");
        String question =
                server.getJson("/api/assistant/chats/" + chat).at("/messages/0/id").stringValue();
        Map<String, ?> again =
                Map.of("chatId", chat, "userMessageId", question, "regenerate", true);
        try (TestServer.Events events = server.turn(again)) {
            sandbox.next().answers("At sea.");
            events.rest();
        }
        try (Visitor ada = Visitor.of(server)) {
            search(ada).fill("floes");
            ada.page().locator(".hit").click();
            assertThat(ada.text("At sea.")).isVisible();
            assertThat(ada.page().getByText("in another version of this chat")).isVisible();

            ada.button("Show this version").click();

            assertThat(ada.text("On ice floes.")).isVisible();
            assertThat(ada.text("At sea.")).hasCount(0);
            assertThat(ada.messages().nth(1)).isFocused();
        }
    }

    @Test
    void aHitOpensTheFileOrTheAsset() throws Exception {
        String chat = turn(null, "hello", "ok");
        server.upload(chat, "walrus facts.txt", "big teeth");
        server.send(
                server.request("/api/assets")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("walrus.md", "# Tusks").publisher())
                        .build());
        try (Visitor ada = Visitor.of(server)) {
            search(ada).fill("walrus");
            ada.page().locator(".hit").getByText("walrus facts.txt").click();
            assertThat(ada.page().locator("dialog.preview")).containsText("big teeth");
            ada.page().keyboard().press("Escape");

            ada.page().locator(".hit").getByText("walrus.md").click();
            assertThat(ada.page().locator("dialog.preview h1")).hasText("Tusks");
        }
    }

    @Test
    void theSearchSaysThatItFoundNothingOrFailed() throws Exception {
        turn(null, "hello", "ok");
        try (Visitor ada = Visitor.of(server)) {
            search(ada).fill("nosuchword");
            assertThat(ada.text("No chat, message or file has “nosuchword”.")).isVisible();

            AtomicBoolean down = new AtomicBoolean(true);
            ada.context()
                    .route(
                            "**/api/search?**",
                            route -> {
                                if (down.get()) {
                                    route.fulfill(new Route.FulfillOptions().setStatus(503));
                                } else {
                                    route.resume();
                                }
                            });
            search(ada).fill("hello");
            assertThat(ada.page().getByText("The search failed.")).isVisible();
            down.set(false);
            ada.button("Try again").click();
            assertThat(ada.page().locator(".hit")).hasCount(1);

            search(ada).press("Escape");
            assertThat(search(ada)).hasValue("");
            assertThat(ada.page().locator(".hit")).hasCount(0);
        }
    }

    /** The list has only its first page, and a search does not make it read the others. */
    @Test
    void aChatThatIsNotListedIsFoundByItsTitle() throws Exception {
        String chat = turn(null, "hello", "ok");
        server.send("PATCH", "/api/assistant/chats/" + chat, Map.of("title", "About walruses"));
        List<String> pages = Collections.synchronizedList(new ArrayList<>());
        try (Visitor ada = Visitor.of(server)) {
            ada.context()
                    .route(
                            "**/api/assistant/chats?*",
                            route -> {
                                pages.add(route.request().url());
                                route.fulfill(
                                        new Route.FulfillOptions()
                                                .setContentType("application/json")
                                                .setBody(
                                                        "{\"chats\":[],\"nextCursor\":\"older\"}"));
                            });
            ada.page().reload();
            search(ada).fill("walruses");
            Locator hits = ada.page().locator(".hit");
            assertThat(hits).hasText(Pattern.compile("^About walruses"));

            hits.click();

            assertThat(ada.messages()).hasCount(2);
            assertThat(pages).isNotEmpty().noneMatch(url -> url.contains("cursor"));
        }
    }

    @Test
    void titlesAreFoundWithoutTheirAccents() throws Exception {
        turn(null, "Wie ist das Wetter in Zürich?", "Walrosse mögen es.");
        try (Visitor ada = Visitor.of(server)) {
            search(ada).fill("ZURICH");
            assertThat(ada.page().locator(".chat-row")).containsText("Zürich");
            assertThat(ada.page().locator(".hit")).hasCount(1);

            search(ada).fill("mogen");
            assertThat(ada.page().locator(".hit mark")).hasText("mögen");
            assertThat(ada.page().locator(".chat-row")).hasCount(0);
            assertThat(ada.page().getByText("No chat")).hasCount(0);
        }
    }

    @Test
    void onAPhoneTheKeyOpensTheMenuAndAHitClosesIt() throws Exception {
        turn(null, "hello walrus", "ok");
        try (Visitor ada = Visitor.of(server, 360, ColorScheme.DARK)) {
            ada.page().keyboard().press("Control+k");
            assertThat(search(ada)).isInViewport();
            search(ada).fill("walrus");
            ada.page().locator(".hit").click();

            assertThat(ada.page().locator("article.message").first()).isInViewport();
            assertThat(search(ada)).not().isInViewport();
            Object width = ada.page().evaluate("document.documentElement.scrollWidth");
            assertThat(((Number) width).intValue()).isLessThanOrEqualTo(360);
        }
    }

    private static Locator search(Visitor ada) {
        return ada.page().getByPlaceholder("Search chats");
    }

    private String turn(@Nullable String chat, String message, String answer) throws Exception {
        String in = chat == null ? server.newChat() : chat;
        try (TestServer.Events events = server.turn(Map.of("message", message, "chatId", in))) {
            sandbox.next().answers(answer);
            events.rest();
        }
        return in;
    }
}
