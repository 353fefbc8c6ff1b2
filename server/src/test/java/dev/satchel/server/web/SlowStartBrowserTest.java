package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The page on a slow line, and while the server does not answer. */
class SlowStartBrowserTest extends ScriptedTest {
    private static final int BYTES_PER_SECOND = 50_000;

    private static final String SETTINGS =
            """
            {"version": "1", "runner": "own", "model": {"provider": "anthropic", "name": "claude-opus"},
             "limits": {"maxFileBytes": 1, "maxFiles": 1, "maxBytes": 1}}
            """;

    @Test
    void theShellIsThereBeforeAnyScript() throws Exception {
        try (Visitor ada = Visitor.of(server, 1280, ColorScheme.LIGHT)) {
            ada.context().route("**/assets/*.js", route -> {}); // they never arrive

            ada.page()
                    .navigate(
                            server.url("/").toString(),
                            new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));

            assertThat(ada.page().getByRole(AriaRole.STATUS)).hasText("Loading…");
            assertThat(ada.page().locator(".sidebar")).hasCSS("width", "272px");
            assertThat(ada.page().locator(".sidebar strong")).hasText("Satchel");
        }
    }

    @Test
    void aThreadArrivesOnALineOfFiftyKilobytesPerSecond() throws Exception {
        String chat = server.newChat();
        try (TestServer.Events events = server.turn(Map.of("chatId", chat, "message", "hello"))) {
            sandbox.next().answers("The answer.");
            events.rest();
        }
        try (Visitor ada = Visitor.of(server)) {
            ada.slowDownloads(BYTES_PER_SECOND);

            ada.open("/chats/" + chat);

            assertThat(ada.text("The answer.")).isVisible();
        }
    }

    @Test
    void aPersonCanWriteWhileTheSettingsHaveNotArrived() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (Visitor ada = Visitor.of(server)) {
            ada.context().route("**/api/settings", route -> asked.countDown());

            ada.page().reload();
            ada.composer().fill("hello");

            assertThat(ada.button("Send")).isEnabled();
            Assertions.assertThat(asked.getCount()).isZero();
        }
    }

    @Test
    void settingsThatCouldNotBeReadAreReadAgain() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (Visitor ada = Visitor.of(server)) {
            ada.context()
                    .route(
                            "**/api/settings",
                            route -> {
                                Route.FulfillOptions answer = new Route.FulfillOptions();
                                if (tries.getAndIncrement() < 2) {
                                    route.fulfill(answer.setStatus(503));
                                } else {
                                    route.fulfill(
                                            answer.setContentType("application/json")
                                                    .setBody(SETTINGS));
                                }
                            });

            ada.page().reload();

            assertThat(ada.page().locator("main").getByText("claude-opus").first()).isVisible();
        }
    }
}
