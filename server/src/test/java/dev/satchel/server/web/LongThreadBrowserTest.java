package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongThreadBrowserTest {
    private static final int TURNS = 1_000;
    private static final int FIRST_PAGE = 50;

    /** What is not drawn again cannot be slow: a key touches nothing but the composer. */
    @Test
    void inAThreadOfAThousandTurnsAKeyRedrawsNoMessage(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.start(data, null, null);
                Visitor ada = Visitor.of(server)) {
            String chat = server.newChat();
            fill(data, new ConversationId(chat));
            ada.open("/chats/" + chat);
            for (int shown = FIRST_PAGE;
                    shown < 2 * TURNS;
                    shown = Math.min(shown + 200, 2 * TURNS)) {
                assertThat(ada.messages()).hasCount(shown);
                ada.button("Load older messages").click();
            }
            assertThat(ada.messages()).hasCount(2 * TURNS);
            ada.page()
                    .evaluate(
                            """
                            () => {
                              window.changes = 0;
                              new MutationObserver(all => window.changes += all.length).observe(
                                document.querySelector('[role=log]'),
                                {subtree: true, childList: true, attributes: true, characterData: true});
                            }
                            """);

            ada.composer().pressSequentially("still quick");

            assertThat(ada.composer()).hasValue("still quick");
            assertThat(ada.page().evaluate("window.changes")).isEqualTo(0);
        }
    }

    private static void fill(Path data, ConversationId chat) {
        ConversationStore store = new ConversationStore();
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            database.change(
                    tx -> {
                        for (int turn = 0; turn < TURNS; turn++) {
                            store.append(tx, chat, message(Role.USER, List.of(new Text("ask"))));
                            store.append(tx, chat, message(Role.ASSISTANT, answer(turn)));
                        }
                    });
        }
    }

    private static List<ContentBlock> answer(int turn) {
        List<ContentBlock> blocks = new ArrayList<>();
        for (int step = 0; step < 10; step++) {
            blocks.add(
                    new Step(
                            "s" + step, "sh", Step.Status.SUCCEEDED, null, null, null, 5L, 1L, 6L));
        }
        blocks.add(new Text("Answer **" + turn + "** with `code` and\n\n- a list\n- of two"));
        return blocks;
    }

    private static PersistedMessage message(Role role, List<ContentBlock> content) {
        return new PersistedMessage(
                MessageId.random().value(), role, content, List.of(), null, 1_700_000_000_000L);
    }
}
