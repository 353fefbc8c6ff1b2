package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Text;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A conversation of a thousand turns with ten steps each, all of it on the page. */
final class LongThread {
    static final int TURNS = 1_000;
    private static final int FIRST_PAGE = 50;
    private static final int PAGE = 200;

    private LongThread() {}

    /** By its selector: to look for a role among so many elements takes Playwright seconds. */
    static Locator composer(Visitor ada) {
        return ada.page().locator(".composer textarea");
    }

    static void open(TestServer server, Path data, Visitor ada) throws Exception {
        String chat = server.newChat();
        fill(data, new ConversationId(chat));
        ada.open("/chats/" + chat);
        int shown = FIRST_PAGE;
        while (shown < 2 * TURNS) {
            assertThat(ada.messages()).hasCount(shown);
            ada.page().locator(".older").evaluate("button => button.click()");
            shown = Math.min(shown + PAGE, 2 * TURNS);
        }
        assertThat(ada.messages()).hasCount(2 * TURNS);
    }

    private static void fill(Path data, ConversationId chat) {
        ConversationStore store = new ConversationStore();
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            database.change(
                    tx -> {
                        for (int turn = 0; turn < TURNS; turn++) {
                            store.threads()
                                    .append(tx, chat, message(Role.USER, List.of(new Text("ask"))));
                            store.threads().append(tx, chat, message(Role.ASSISTANT, answer(turn)));
                        }
                    });
        }
    }

    private static List<ContentBlock> answer(int turn) {
        List<ContentBlock> blocks = new ArrayList<>();
        for (int step = 0; step < 10; step++) {
            blocks.add(
                    new Step(
                            "s" + step,
                            "sh",
                            Step.Status.SUCCEEDED,
                            null,
                            null,
                            null,
                            5L,
                            1L,
                            6L,
                            null,
                            null,
                            null,
                            null));
        }
        blocks.add(new Text("Answer **" + turn + "** with `code` and\n\n- a list\n- of two"));
        return blocks;
    }

    private static PersistedMessage message(Role role, List<ContentBlock> content) {
        return new PersistedMessage(
                MessageId.random().value(), role, content, List.of(), null, 1_700_000_000_000L);
    }
}
