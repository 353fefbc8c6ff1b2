package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.server.application.Configuration;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a real runner and its real sandbox behind the page. */
class WholeSystemBrowserTest {
    private TestServer server;
    private Visitor ada;

    @BeforeEach
    void start(@TempDir Path data) throws Exception {
        Configuration plain = TestServer.configuration(data, null, null);
        Configuration.Sandbox embedded =
                Configuration.Sandbox.embedded(
                        Map.of("PATH", System.getenv("PATH"), "HOME", data.toString()));
        server =
                TestServer.start(
                        new Configuration(
                                plain.network(),
                                plain.storage(),
                                embedded,
                                plain.runs(),
                                plain.bags()),
                        Clock.systemUTC());
        ada = Visitor.of(server);
    }

    @AfterEach
    void stop() {
        ada.close();
        server.close();
    }

    @Test
    void withoutAModelThePageSaysWhatWorksAndOffersExamples() {
        assertThat(ada.page().getByText("No model is configured.")).isVisible();
        ada.page().getByText("Look around").click();
        assertThat(ada.composer()).hasValue(Pattern.compile("^/sh uname.*"));

        ada.composer().press("Enter");

        assertThat(ada.messages().nth(1)).containsText("Linux");
        ada.open("/settings");
        assertThat(ada.text("/grep PATTERN [PATH]")).isVisible();
    }

    @Test
    void aFileThatTheRunMadeIsAChipWithAPreview() {
        ada.say(
                "/sh mkdir -p assets; printf 'month,value\\nJan,1\\nFeb,\"2,5\"\\n' > assets/result.csv");

        Locator chip = ada.messages().nth(1).locator(".chip");
        assertThat(chip).containsText("result.csv");
        chip.click();
        Locator preview = ada.page().locator("dialog.preview");
        assertThat(preview.locator("th").first()).hasText("month");
        assertThat(preview).containsText("2,5");
        assertThat(preview).containsText("2 rows, 2 columns");
        ada.page().keyboard().press("Escape");
        assertThat(preview).isHidden();
    }

    @Test
    void codeAPictureAPdfAndBytesEachHaveTheirPreview() {
        ada.say(
                """
                /sh mkdir assets && echo 'def f(): return 1' > assets/a.py
                /sh echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d > assets/b.png
                /sh printf '%%PDF-1.1\\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\\ntrailer<</Root 1 0 R>>\\n' > assets/c.pdf
                /sh head -c 64 /dev/zero > assets/d.bin""");
        Locator chips = ada.messages().nth(1).locator(".chip");
        assertThat(chips).hasCount(4);
        Locator preview = ada.page().locator("dialog.preview");

        chips.filter(new Locator.FilterOptions().setHasText("a.py")).click();
        assertThat(preview.locator(".hljs-keyword").first()).hasText("def");
        ada.page().keyboard().press("Escape");
        chips.filter(new Locator.FilterOptions().setHasText("b.png")).click();
        assertThat(preview).containsText("1 × 1");
        ada.page().keyboard().press("Escape");
        chips.filter(new Locator.FilterOptions().setHasText("d.bin")).click();
        assertThat(preview).containsText("000000  00 00 00");
        ada.page().keyboard().press("Escape");
        chips.filter(new Locator.FilterOptions().setHasText("c.pdf")).click();
        assertThat(preview.locator("iframe, p").first()).isVisible();
    }

    @Test
    void theFilesPanelIsATreeForKeysToo() {
        ada.say(
                "/sh mkdir -p src/deep && echo 1 > src/one.txt && echo 2 > src/deep/two.txt && echo 3 > z.md");
        assertThat(ada.messages()).hasCount(2);
        ada.button("Files").click();
        Locator items = ada.page().getByRole(AriaRole.TREEITEM);
        assertThat(items).hasCount(2);
        assertThat(ada.page().locator(".files .badge").first())
                .hasText(Pattern.compile("Live|Snapshot"));
        assertThat(items.last()).containsText("changed");

        items.first().focus();
        ada.page().keyboard().press("ArrowRight");
        assertThat(items).hasCount(4);
        ada.page().keyboard().press("End");
        assertThat(items.last()).isFocused();
        ada.page().keyboard().press("o");
        assertThat(items.nth(2)).isFocused();
        ada.page().keyboard().press("Enter");
        assertThat(ada.page().locator("dialog.preview")).containsText("1");
        assertThat(ada.page()).hasURL(Pattern.compile(".*#/files/src/one.txt$"));

        ada.page().reload();

        assertThat(ada.page().locator("dialog.preview")).containsText("one.txt");
        ada.page().keyboard().press("Escape");
        assertThat(items).hasCount(4);
    }

    @Test
    void theFilesPanelShowsWhatAStepMade() {
        ada.say("/sh mkdir assets; echo 1 > assets/kept.txt; echo 1 > first.txt");
        assertThat(ada.messages()).hasCount(2);
        ada.button("Files").click();
        assertThat(ada.page().getByRole(AriaRole.TREEITEM)).hasCount(2);

        ada.say("/sh echo 2 > second.txt");

        assertThat(ada.page().getByRole(AriaRole.TREEITEM)).hasCount(4);
        assertThat(ada.page().getByRole(AriaRole.TREEITEM).nth(3)).containsText("changed");
        assertThat(ada.page().getByRole(AriaRole.TREEITEM).nth(1)).not().containsText("changed");
        assertThat(ada.page().getByText("All as zip"))
                .hasAttribute("href", Pattern.compile(".*files.zip"));
    }

    @Test
    void anAgentIsSavedAndRun() {
        ada.open("/agents");
        ada.button("New agent").click();
        ada.page().getByLabel("Name").fill("Greeter");
        ada.button("Save").click();
        ada.page().getByLabel("Prompt for Greeter").fill("/sh echo hello from $((40 + 2))");
        ada.button("Run").click();

        assertThat(ada.page().locator(".answer")).containsText("hello from 42");
    }

    @Test
    void anAssetIsKeptFoundAndDeleted() {
        ada.open("/assets");
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(
                        new com.microsoft.playwright.options.FilePayload(
                                "price-list.txt", "text/plain", new byte[] {65, 66}));
        assertThat(ada.text("price-list.txt")).isVisible();
        ada.page().getByPlaceholder("Search assets").fill("nothing like it");
        assertThat(ada.text("price-list.txt")).isHidden();
        ada.page().getByPlaceholder("Search assets").fill("price");
        assertThat(ada.text("price-list.txt")).isVisible();

        ada.button("Delete price-list.txt").click();

        assertThat(ada.text("price-list.txt")).isHidden();
        assertThat(ada.complaints()).isEmpty();
    }
}
