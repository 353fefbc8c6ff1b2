package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.SelectOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workspace beside the chat, with a real sandbox that works in it. */
class FilesPanelBrowserTest extends WholePageTest {
    @Test
    void theFilesPanelIsATreeForKeysToo() {
        ada.say(
                "/sh mkdir -p src/deep && echo 1 > src/one.txt && echo 2 > src/deep/two.txt && echo"
                        + " 3 > z.md");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        assertThat(items()).hasCount(2);
        assertThat(items().last()).containsText("new");
        assertThat(items().first().getByLabel("has new or changed files")).isVisible();

        items().first().focus();
        ada.page().keyboard().press("ArrowRight");
        assertThat(items()).hasCount(4);
        assertThat(items().first().getByLabel("has new or changed files")).isHidden();
        ada.page().keyboard().press("End");
        assertThat(items().last()).isFocused();
        ada.page().keyboard().press("Home");
        assertThat(items().first()).isFocused();
        ada.page().keyboard().press("o");
        assertThat(items().nth(2)).isFocused();
        ada.page().keyboard().press("Enter");
        assertThat(ada.page().locator("dialog.preview")).containsText("1");
        assertThat(ada.page()).hasURL(Pattern.compile(".*#/files/src/one.txt$"));

        ada.page().reload();

        assertThat(ada.page().locator("dialog.preview")).containsText("one.txt");
        ada.page().keyboard().press("Escape");
        assertThat(items()).hasCount(4);

        ada.page().evaluate("location.hash = '#/files/gone.txt'");
        assertThat(ada.page().getByText("gone.txt is not in the workspace.")).isVisible();
    }

    @Test
    void aPersonGoesBackToEarlierFilesAndTakesThatBack() {
        ada.say("/sh echo one > kept.txt && echo old > lost.txt");
        ada.awaitEndOfTurn();
        ada.say("/sh rm lost.txt && echo two > kept.txt && echo new > made.txt");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        Locator history = ada.page().getByLabel("History");
        assertThat(history.getByRole(AriaRole.LISTITEM)).hasCount(2);
        assertThat(history).containsText("1 added, 1 changed, 1 removed");

        history.getByText("Go back").click();
        assertThat(history).containsText("lost.txtcomes back");
        assertThat(history).containsText("kept.txtchanges");
        assertThat(history).containsText("made.txtis removed");
        history.getByLabel("Only lost.txt").click();
        assertThat(ada.text("lost.txt is as it was.")).isVisible();
        assertThat(item("lost.txt")).isVisible();
        assertThat(item("made.txt")).isVisible();

        history.getByText("Go back").last().click();
        history.getByText("Restore 2 files").click();
        assertThat(item("made.txt")).hasCount(0);
        ada.page().getByText("Undo").last().click();
        assertThat(item("made.txt")).isVisible();
        ada.say("/sh cat kept.txt lost.txt made.txt");
        ada.awaitEndOfTurn();
        assertThat(ada.page().locator("main")).containsText("two\nold\nnew");
    }

    @Test
    void anEarlierStateIsNamedByItsTurnAndShowsItsFilesAndItsDiff() {
        ada.say("/sh printf 'one\\ntwo\\n' > kept.txt && echo old > lost.txt");
        ada.awaitEndOfTurn();
        ada.say("/sh rm lost.txt && printf 'one\\n2\\n' > kept.txt");
        ada.awaitEndOfTurn();
        ada.say("/sh echo 3 > third.txt");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        Locator history = ada.page().getByLabel("History");
        Locator second = history.locator(".timeline > li").nth(1);
        assertThat(second).containsText("/sh rm lost.txt");

        second.locator(".timeline-what").click();
        Locator differences = second.getByLabel("Differences");
        assertThat(differences).containsText("kept.txtchanged");
        assertThat(differences).containsText("lost.txtremoved");
        differences.getByText("kept.txt").click();
        assertThat(differences.locator(".diff .removed")).hasText("-two\n");
        assertThat(differences.locator(".diff .added")).hasText("+2\n");
        second.getByRole(AriaRole.COMBOBOX).selectOption("live");
        assertThat(differences).containsText("third.txtadded");
        second.getByRole(AriaRole.COMBOBOX)
                .selectOption(new SelectOption().setIndex(2)); // the first turn
        assertThat(differences).containsText("lost.txtremoved");

        history.locator(".timeline > li").last().locator(".timeline-what").click();
        Locator first = history.locator(".timeline > li").last();
        first.getByText("All files of this state").click();
        first.getByRole(AriaRole.TREEITEM)
                .filter(new Locator.FilterOptions().setHasText("kept.txt"))
                .click();
        assertThat(ada.page().locator("dialog.preview")).containsText("one\ntwo");
    }

    @Test
    void aMarkdownFileLeadsToItsNeighboursAndTheTreeToTheNextFile() {
        ada.say(
                "/sh mkdir -p docs/img && echo below > docs/b.txt && echo above > top.txt && echo"
                        + " \"<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'/>\" >"
                        + " docs/img/p.svg && echo '[next](b.txt) [top](../top.txt)"
                        + " ![plot](img/p.svg)' > docs/a.md");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        items().first().focus();
        ada.page().keyboard().press("ArrowRight");
        item("a.md").click();
        Locator preview = ada.page().locator("dialog.preview");
        Locator picture = preview.locator(".markdown img");
        assertThat(picture).hasAttribute("src", Pattern.compile(".*/docs/img/p\\.svg$"));
        ada.page()
                .waitForFunction(
                        "() => document.querySelector('.preview .markdown img').naturalWidth =="
                                + " 40");

        preview.getByText("top", new Locator.GetByTextOptions().setExact(true)).click();
        assertThat(preview).containsText("above");
        ada.page().keyboard().press("Escape");
        item("a.md").click();
        preview.getByText("next").click();
        assertThat(preview).containsText("below");
        ada.page().keyboard().press("Escape");

        item("a.md").click();
        assertThat(preview).containsText("/ 4");
        preview.getByLabel("Next file").click();
        assertThat(preview).containsText("below");
    }

    /** Only the rows in sight are in the document, and keys reach all of them. */
    @Test
    void aTreeOfTenThousandFilesScrolls() {
        ada.say("/sh mkdir d && cd d && seq 1 10000 | xargs touch");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        assertThat(items()).hasCount(1);
        items().first().focus();
        ada.page().keyboard().press("ArrowRight");
        assertThat(item("1").first()).isVisible();
        assertThat(items().count()).isLessThan(150);

        ada.page().keyboard().press("End");
        assertThat(ada.text("10000")).isInViewport();
        assertThat(items().last()).isFocused();
        assertThat(items().last()).hasAttribute("aria-posinset", "10001");
        assertThat(items().count()).isLessThan(150);
        ada.page().keyboard().press("Home");
        assertThat(items().first()).isFocused();
        assertThat(items().first()).isInViewport();
    }

    @Test
    void aFileWithATakenNameIsShownWithItsNameInTheWorkspace() {
        ada.page()
                .locator("input[type=file]")
                .first()
                .setInputFiles(new FilePayload("assets", "text/plain", "a file".getBytes(UTF_8)));
        assertThat(ada.page().locator(".chip.done")).isVisible();
        ada.say("/sh cat assets-1");
        ada.awaitEndOfTurn();

        assertThat(ada.messages().last()).containsText("a file");
        ada.page().locator(".steps-summary").first().click();
        assertThat(ada.steps().first()).containsText("assets → assets-1");
        ada.button("Files").click();
        assertThat(ada.page().locator(".bag")).containsText("as assets-1");
        assertThat(item("assets-1")).isVisible();
    }

    @Test
    void theListIsReadAgainAfterEachStepWhileTheRunGoesOn() {
        ada.say("/sh echo 1 > first.txt; echo 1 > other.txt");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        assertThat(items()).hasCount(2);

        ada.say("/sh echo 2 > second.txt; echo more >> first.txt\n/sleep 60");

        assertThat(items()).hasCount(3);
        assertThat(ada.button("Stop")).isVisible();
        assertThat(item("second.txt")).containsText("new");
        assertThat(item("first.txt")).containsText("changed");
        assertThat(item("other.txt")).not().containsText(Pattern.compile("new|changed"));
        ada.page().keyboard().press("Escape");
        ada.awaitEndOfTurn();
        assertThat(item("second.txt")).containsText("new");
    }

    @Test
    void whatATurnRemovedIsTold() {
        ada.say("/sh echo 1 > first.txt; echo 1 > other.txt");
        ada.awaitEndOfTurn();
        ada.say("/sh rm other.txt");
        ada.button("Files").click();

        assertThat(ada.page().getByText("1 file removed by the last turn")).isVisible();
    }

    @Test
    void theBadgeTurnsFromLiveToSnapshotWhenTheWorkspaceIsEvicted() throws Exception {
        ada.say("/sh echo 1 > kept.txt");
        ada.awaitEndOfTurn();
        ada.button("Files").click();
        Locator badge = ada.page().locator(".files header .badge");
        assertThat(badge).hasText("Live");

        server.post("/api/sessions/" + ada.chatId() + "/stop", Map.of());
        ada.page()
                .evaluate(
                        "dispatchEvent(new Event('focus'))"); // as when the user returns to the tab

        assertThat(badge).hasText(Pattern.compile("Snapshot · just now"));
        assertThat(badge).hasAttribute("title", Pattern.compile(".*20\\d\\d.*"));
        assertThat(item("kept.txt")).isVisible();
    }

    @Test
    void theWorkspaceAndTheBagComeAsZips() throws Exception {
        ada.say("/sh mkdir -p src assets; echo 1 > src/one.txt; echo 2 > assets/two.txt");
        ada.awaitEndOfTurn();
        ada.button("Files").click();

        assertThat(unzipped("Zip")).contains("src/one.txt", "assets/two.txt");
        assertThat(unzipped("All as zip")).containsExactly("two.txt");
    }

    @Test
    void aDroppedFolderKeepsItsPathsDownToTheSandbox(@TempDir Path disk) throws Exception {
        Path project = Files.createDirectories(disk.resolve("project/src/deep"));
        Files.createDirectories(disk.resolve("project/node_modules"));
        Files.writeString(disk.resolve("project/node_modules/skipped.js"), "no");
        Files.writeString(disk.resolve("project/index.ts"), "one");
        Files.writeString(project.resolve("index.ts"), "two");

        ada.drop(disk.resolve("project"));

        Locator chip = ada.page().locator(".chip.done");
        assertThat(chip).hasCount(1); // one for the folder
        assertThat(chip).containsText("2 files, 6 B");
        assertThat(chip).hasAttribute("title", Pattern.compile("project/src/deep/index\\.ts"));
        ada.say("/sh find project -type f | sort; cat project/src/deep/index.ts");
        assertThat(ada.messages().nth(1)).containsText("project/index.ts");
        assertThat(ada.messages().nth(1)).containsText("project/src/deep/index.ts");
        assertThat(ada.messages().nth(1)).not().containsText("index-1.ts");
    }

    @Test
    void manyFilesAreAttachedOnlyWhenThatIsMeant(@TempDir Path disk) throws Exception {
        Path many = Files.createDirectories(disk.resolve("many"));
        for (int i = 0; i < 11; i++) {
            Files.writeString(many.resolve(i + ".txt"), "x");
        }

        ada.drop(many);

        assertThat(ada.page().getByText("a chat holds 10")).isVisible();
        assertThat(ada.page().locator(".chip")).hasCount(0);
    }

    private Locator items() {
        return ada.page().getByRole(AriaRole.TREEITEM);
    }

    private Locator item(String name) {
        return items().filter(new Locator.FilterOptions().setHasText(name));
    }

    private List<String> unzipped(String link) throws Exception {
        Download download =
                ada.page().waitForDownload(() -> ada.page().getByText(link, exact()).click());
        try (ZipFile zip = new ZipFile(download.path().toFile());
                Stream<? extends ZipEntry> entries = zip.stream()) {
            return entries.<String>map(ZipEntry::getName)
                    .filter(name -> !name.endsWith("/"))
                    .toList();
        }
    }

    private static com.microsoft.playwright.Page.GetByTextOptions exact() {
        return new com.microsoft.playwright.Page.GetByTextOptions().setExact(true);
    }
}
