package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.FilePayload;

import dev.satchel.server.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Every kind of file as the files panel opens it. */
class PreviewBrowserTest {
    private static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    private static final String PDF =
            """
            %PDF-1.1
            1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
            trailer<</Root 1 0 R>>
            """;

    private TestServer server;
    private Visitor ada;
    private boolean panelIsOpen;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start(null);
        ada = Visitor.of(server);
    }

    @AfterEach
    void stop() {
        ada.close();
        server.close();
    }

    @Test
    void codeIsColouredAndMarkdownIsRendered() {
        open("a.py", "def f(): return 1".getBytes(StandardCharsets.UTF_8));
        assertThat(preview().locator(".hljs-keyword").first()).hasText("def");
        ada.page().keyboard().press("Escape");

        open("b.md", "# Title".getBytes(StandardCharsets.UTF_8));

        assertThat(preview().locator("h1")).hasText("Title");
    }

    @Test
    void aPictureTellsItsSize() {
        open("b.png", Base64.getDecoder().decode(PIXEL));

        assertThat(preview()).containsText("1 × 1");
    }

    @Test
    void aTableHasAHeaderAndRows() {
        open("c.csv", "month,value\nJan,1\nFeb,\"2,5\"\n".getBytes(StandardCharsets.UTF_8));

        assertThat(preview().locator("th").first()).hasText("month");
        assertThat(preview()).containsText("2,5");
        assertThat(preview()).containsText("2 rows, 2 columns");
    }

    @Test
    void aPdfIsShownByTheBrowsersOwnViewer() {
        viewerOfPdf(true);
        open("c.pdf", PDF.getBytes(StandardCharsets.US_ASCII));

        assertThat(preview().locator("iframe")).hasAttribute("src", Pattern.compile("^blob:.*"));
        assertThat(preview().getByText("Download")).isVisible();
    }

    @Test
    void aBrowserWithoutAViewerOffersThePdfToSave() {
        viewerOfPdf(false);
        open("c.pdf", PDF.getBytes(StandardCharsets.US_ASCII));

        assertThat(preview()).containsText("This browser does not show PDF files.");
        assertThat(preview().locator("iframe")).hasCount(0);
    }

    @Test
    void ofALargeTextTheBeginningIsReadAndOfBytesTheFirstAreShown() {
        open("big.log", "a line of a log\n".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        assertThat(preview()).containsText("Showing the first 262 KB.");
        assertThat(preview()).containsText("a line of a log");
        ada.page().keyboard().press("Escape");

        open("d.bin", new byte[2_000_000]);

        assertThat(preview()).containsText("000000  00 00 00");
        assertThat(preview()).containsText("Its first 256 bytes");
    }

    @Test
    void aFileIsSavedAsAnAssetThatTheAssetsPageLists() {
        open("price-list.txt", "12".getBytes(StandardCharsets.UTF_8));

        ada.button("Save as asset").click();

        assertThat(ada.button("Saved")).isDisabled();
        ada.open("/assets");
        assertThat(ada.text("price-list.txt")).isVisible();
    }

    private Locator preview() {
        return ada.page().locator("dialog.preview");
    }

    /** Into the chat, and from its files panel into the preview. */
    private void open(String name, byte[] content) {
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(new FilePayload(name, "application/octet-stream", content));
        ada.chatId();
        if (!panelIsOpen) {
            ada.button("Files").click();
            panelIsOpen = true;
        }
        Locator file = ada.page().locator(".bag button");
        file.filter(new Locator.FilterOptions().setHasText(name)).click();
    }

    private void viewerOfPdf(boolean enabled) {
        ada.page()
                .evaluate(
                        "has => Object.defineProperty(navigator, 'pdfViewerEnabled', {get: () =>"
                                + " has})",
                        enabled);
    }
}
