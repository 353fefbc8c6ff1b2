package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
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

    private static final String FORGET = "DELETE FROM snapshot WHERE conversation_id = :id";

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
            Locator question = ada.page().getByRole(AriaRole.DIALOG);
            assertThat(question).containsText("All later changes to its files are lost");
            assertThat(ada.button("Keep waiting")).isFocused();
            ada.button("Keep waiting").click();
            assertThat(question).hasCount(0);
            assertThat(ada.composer()).hasValue("/sh cat f.txt");

            ada.composer().press("Enter");
            ada.button("Continue from the last saved files").click();
            ada.button("Give up the newest files").click();

            assertThat(ada.messages().last()).containsText("saved");
            ada.awaitEndOfTurn();
            assertThat(ada.page().getByText(NOTE)).hasCount(0);
        }
    }

    @Test
    void theFilesPanelSaysWhatIsGivenUpAndAsksFirst(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.startWhole(data);
                Visitor ada = Visitor.of(server)) {
            ada.say("/sh echo saved > f.txt");
            ada.awaitEndOfTurn();
            loseNewestFiles(data, ada.chatId());

            ada.page().reload();
            ada.button("Files").click();
            Locator panel = ada.page().locator(".files");
            assertThat(panel).containsText("the server that has them is away");
            ada.button("Continue from the last saved files").click();
            assertThat(panel).containsText("All later changes to its files are lost");
            ada.button("Keep waiting").click();
            assertThat(ada.messages().last()).containsText(NOTE);

            ada.button("Continue from the last saved files").click();
            ada.button("Give up the newest files").click();

            assertThat(panel.locator(".tree")).containsText("f.txt");
            assertThat(panel.locator(".notice")).hasCount(0);
            assertThat(ada.page().getByText(NOTE)).hasCount(0);
        }
    }

    @Test
    void theFilesPanelSaysThatNothingIsSaved(@TempDir Path data) throws Exception {
        try (TestServer server = TestServer.startWhole(data);
                Visitor ada = Visitor.of(server)) {
            ada.say("/sh echo saved > f.txt");
            ada.awaitEndOfTurn();
            loseNewestFiles(data, ada.chatId());
            change(data, FORGET, ada.chatId());

            ada.page().reload();
            ada.button("Files").click();
            ada.button("Continue without these files").click();

            assertThat(ada.page().locator(".files")).containsText("with an empty workspace");
            assertThat(ada.button("Keep waiting")).isFocused();
        }
    }

    /** As if the last turn had left files that are in no snapshot, on a disk that is away. */
    private static void loseNewestFiles(Path data, String chat) throws Exception {
        Files.move(data.resolve("runner/workspaces").resolve(chat), data.resolve("away"));
        change(data, MARK, chat);
    }

    private static void change(Path data, String statement, String chat) throws Exception {
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            database.change(tx -> tx.update(statement).bind("id", chat).execute());
        }
    }
}
