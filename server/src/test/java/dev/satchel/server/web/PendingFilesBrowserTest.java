package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not saved, in the thread, and the way to continue without them. */
class PendingFilesBrowserTest {
    private static final String NOTE = "The files of this turn are not saved yet.";

    private static final String MARK =
            """
            UPDATE conversation
               SET workspace_pending = 'shared',
                   workspace_pending_run = (SELECT id FROM run WHERE conversation_id = :id)
             WHERE id = :id
            """;

    @Test
    void aPersonContinuesFromTheLastSavedFiles(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.startWhole(data);
                Visitor ada = Visitor.of(server)) {
            ada.say("/sh echo saved > f.txt");
            ada.awaitEndOfTurn();
            loseNewestFiles(data, ada.chatId());

            ada.page().reload();
            assertThat(ada.messages().last()).containsText(NOTE);
            ada.say("/sh cat f.txt");
            assertThat(ada.page().locator(".toast")).containsText("are not saved yet");
            ada.button("Continue from the last saved files").click();

            assertThat(ada.messages().last()).containsText("saved");
            ada.awaitEndOfTurn();
            assertThat(ada.page().getByText(NOTE)).hasCount(0);
        }
    }

    /** As if the last turn had left files that are in no snapshot, on a disk that is away. */
    private static void loseNewestFiles(Path data, String chat) throws Exception {
        Files.move(data.resolve("runner/workspaces").resolve(chat), data.resolve("away"));
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            database.change(tx -> tx.update(MARK).bind("id", chat).execute());
        }
    }
}
