package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.server.testing.TestDocuments;
import org.junit.jupiter.api.Test;

/** A Word file as the server reads it in a real sandbox. */
class DocumentPreviewBrowserTest extends WholePageTest {
    @Test
    void aDocumentOfTheChatAndItsCopyInTheWorkspaceAreShownAsTextAndTables() throws Exception {
        byte[] letter = TestDocuments.docx("Month", "12 &lt;b&gt;", "The aardvark digs");
        ada.page()
                .locator("input[type=file]")
                .first()
                .setInputFiles(new FilePayload("letter.docx", "application/octet-stream", letter));
        assertThat(ada.page().locator(".chip.done")).isVisible();
        ada.say(
                "/sh mkdir out && cp letter.docx 'out/copy 1.docx' && head -c 60 letter.docx > cut.docx");
        ada.awaitEndOfTurn();
        ada.button("Files").click();

        ada.page().locator(".bag button").click();
        assertThat(preview().locator("td")).hasText(new String[] {"Month", "12 <b>"});
        assertThat(preview()).containsText("The aardvark digs");
        ada.page().keyboard().press("Escape");

        item("out").click();
        item("copy 1.docx").click();
        assertThat(preview().locator("td")).hasText(new String[] {"Month", "12 <b>"});
        assertThat(preview()).containsText("The aardvark digs");
        ada.page().keyboard().press("Escape");

        item("cut.docx").click();
        assertThat(preview().locator(".preview-note")).containsText("damaged or incomplete");
    }

    private Locator preview() {
        return ada.page().locator("dialog.preview");
    }

    private Locator item(String name) {
        return ada.page()
                .locator("[role=treeitem]")
                .filter(new Locator.FilterOptions().setHasText(name));
    }
}
