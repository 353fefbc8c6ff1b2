package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Chats that are pinned to the top of the list, and those that are put away. */
class ChatListBrowserTest extends ScriptedTest {
    @Test
    void aPinnedChatIsFirstUntilItIsUnpinned() throws Exception {
        conversation("plan the garden");
        conversation("fix the roof");
        try (Visitor ada = Visitor.of(server)) {
            assertThat(titles(ada)).hasText(new String[] {"fix the roof", "plan the garden"});
            ada.page().locator(".chat-row a").last().click();
            choose(ada, "Pin to the top");

            assertThat(titles(ada)).hasText(new String[] {"plan the garden", "fix the roof"});
            assertThat(parts(ada)).hasText(new String[] {"Pinned", "Today"});
            ada.page().reload();
            assertThat(parts(ada)).hasText(new String[] {"Pinned", "Today"});

            choose(ada, "Unpin");
            assertThat(titles(ada)).hasText(new String[] {"fix the roof", "plan the garden"});
        }
    }

    @Test
    void anArchivedChatLeavesTheListAndComesBack() throws Exception {
        conversation("plan the garden");
        conversation("fix the roof");
        try (Visitor ada = Visitor.of(server)) {
            ada.page().locator(".chat-row a").last().click();
            choose(ada, "Archive");
            assertThat(titles(ada)).hasText(new String[] {"fix the roof"});

            ada.button("Archived").click();
            assertThat(titles(ada)).hasText(new String[] {"fix the roof", "plan the garden"});
            ada.page().reload();
            assertThat(ada.page().locator(".bar h2")).hasText("plan the garden");
            ada.button("Archived").click();
            ada.button("Move plan the garden back").click();
            assertThat(ada.text("No archived chats.")).isVisible();
            assertThat(titles(ada)).hasText(new String[] {"fix the roof", "plan the garden"});
        }
    }

    private static void choose(Visitor ada, String action) {
        ada.button("More about this chat").click();
        ada.button(action).click();
    }

    private static Locator titles(Visitor ada) {
        return ada.page().locator(".chat-row .chat-title");
    }

    private static Locator parts(Visitor ada) {
        return ada.page().locator("li.list-part");
    }

    private void conversation(String message) throws Exception {
        try (TestServer.Events events = server.turn(Map.of("message", message))) {
            sandbox.next().answers("ok");
            events.rest();
        }
    }
}
