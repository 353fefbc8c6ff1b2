package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import dev.satchel.server.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    private static final String ATTACK =
            """
            <!doctype html><style>h1 { color: red }</style>
            <h1>title</h1><p id=network>?</p><p id=parent>?</p><p id=storage>?</p><p id=cookie>?</p>
            <script>
              const say = (id, text) => document.getElementById(id).textContent = text;
              document.querySelector('h1').textContent = 'changed by a script';
              fetch('/api/settings').then(() => say('network', 'reached'), () => say('network', 'no network'));
              try { say('parent', parent.document.title) } catch { say('parent', 'no parent') }
              try { say('storage', String(localStorage.length)) } catch { say('storage', 'no storage') }
              try { say('cookie', document.cookie || 'empty') } catch { say('cookie', 'no cookie') }
              try { top.location = '/storage' } catch {}
              parent.postMessage('ready', '*');
            </script>
            """;

    private static final String BOOK =
            """
            {"status": "ready", "format": "xlsx", "parts": [
              {"kind": "sheet", "number": 1, "title": "Costs", "text": "Month | Value\\nJan | 12"},
              {"kind": "sheet", "number": 2, "text": "# <b>Heading</b>\\n- one\\n- two"}]}
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
    void thePreviewIsBesideTheChatLeadsToTheOtherFilesAndGivesTheFocusBack() {
        ada.page()
                .locator("input[type=file]")
                .setInputFiles(
                        new FilePayload(
                                "b.txt", "text/plain", "second".getBytes(StandardCharsets.UTF_8)));
        assertThat(ada.page().locator(".chip.done")).hasCount(1);
        open("a.txt", "first".getBytes(StandardCharsets.UTF_8));
        assertThat(preview().getByText("/ 2")).isVisible();
        assertThat(ada.composer()).isVisible();
        Locator other =
                preview()
                        .getByLabel(Pattern.compile("(Next|Previous) file"))
                        .and(ada.page().locator(":enabled"));
        assertThat(preview()).containsText("first");
        other.click();
        assertThat(preview()).containsText("second");

        double width = preview().boundingBox().width;
        preview().getByLabel("Width of the preview").press("ArrowLeft");
        Assertions.assertThat(preview().boundingBox().width).isEqualTo(width + 40);

        ada.page().keyboard().press("Escape");
        assertThat(preview()).hasCount(0);
        assertThat(
                        ada.page()
                                .locator(".bag button")
                                .filter(new Locator.FilterOptions().setHasText("a.txt")))
                .isFocused();
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

    @Test
    void htmlRunsInAFrameThatReachesNothing() {
        open("page.html", ATTACK.getBytes(StandardCharsets.UTF_8));
        FrameLocator frame = preview().frameLocator("iframe");

        assertThat(frame.locator("h1")).hasText("changed by a script");
        assertThat(frame.locator("#network")).hasText("no network");
        assertThat(frame.locator("#parent")).hasText("no parent");
        assertThat(frame.locator("#storage")).hasText("no storage");
        assertThat(frame.locator("#cookie")).hasText("no cookie");
        assertThat(preview().locator("iframe")).hasAttribute("sandbox", "allow-scripts");
        assertThat(preview()).isVisible();

        ada.button("Show the source").click();
        assertThat(preview().locator("pre")).containsText("<h1>");
    }

    /**
     * WebRTC is outside of the policy of contents, so it needs a header and a script of its own.
     */
    @Test
    void frameHasNoConnectionsBetweenBrowsers() throws Exception {
        String document =
                "<p id=kind>?</p><script>document.getElementById('kind').textContent ="
                        + " typeof RTCPeerConnection</script>";
        open("call.html", document.getBytes(StandardCharsets.UTF_8));

        assertThat(preview().frameLocator("iframe").locator("#kind")).hasText("undefined");
        Assertions.assertThat(
                        server.get("/frame.html").headers().firstValue("Connection-Allowlist"))
                .contains("(response-origin)");
    }

    @Test
    void svgIsShownInTheFrame() {
        String svg =
                "<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>before</text><script>"
                        + "document.querySelector('text').textContent = 'drawn'</script></svg>";
        open("plot.svg", svg.getBytes(StandardCharsets.UTF_8));

        assertThat(preview().frameLocator("iframe").locator("text")).hasText("drawn");
    }

    @Test
    void aNotebookShowsItsCellsAndOutputs() {
        open(
                "n.ipynb",
                """
                {"nbformat": 4, "cells": [
                  {"cell_type": "markdown", "source": ["# Analysis\\n"]},
                  {"cell_type": "code", "source": "1 + 1", "outputs": [
                    {"output_type": "execute_result", "data": {"text/plain": ["2"], "text/html": "<script>x</script>"}},
                    {"output_type": "display_data", "data": {"image/png": "PIXEL"}}]}]}
                """
                        .replace("PIXEL", PIXEL)
                        .getBytes(StandardCharsets.UTF_8));

        assertThat(preview().locator("h1")).hasText("Analysis");
        assertThat(preview().locator(".cell-output")).hasText("2");
        assertThat(preview().locator("img.cell-picture")).isVisible();
    }

    @Test
    void textWithAnUnknownEndingIsText() {
        open("settings.weird", "colour = blue\n".repeat(10).getBytes(StandardCharsets.UTF_8));

        assertThat(preview().locator("pre")).containsText("colour = blue");
    }

    @Test
    void soundAndVideoHaveAPlayer() {
        open("a.mp3", new byte[] {'I', 'D', '3', 4, 0, 0, 0, 0, 0, 0});
        assertThat(preview().locator("audio")).isVisible();
        ada.page().keyboard().press("Escape");

        open("b.webm", new byte[] {0x1a, 0x45, (byte) 0xdf, (byte) 0xa3});
        assertThat(preview().locator("video")).isVisible();
    }

    @Test
    void aDocumentIsShownAsTextAndTables() {
        AtomicInteger asked = new AtomicInteger();
        ada.page()
                .route(
                        "**/text",
                        route ->
                                route.fulfill(
                                        new Route.FulfillOptions()
                                                .setContentType("application/json")
                                                .setBody(
                                                        asked.getAndIncrement() == 0
                                                                ? "{\"status\":\"pending\",\"parts\":[]}"
                                                                : BOOK)));
        open("book.xlsx", new byte[] {'P', 'K', 3, 4});

        assertThat(preview()).containsText("Sheet 1: Costs");
        assertThat(preview().locator("td").first()).hasText("Month");
        assertThat(preview().locator("td").last()).hasText("12");
        assertThat(preview().locator("h4")).hasText("<b>Heading</b>");
        assertThat(preview().locator("li")).hasCount(2);
    }

    @Test
    void aDocumentThatCannotBeReadSaysWhy() {
        open("letter.docx", new byte[] {'P', 'K', 3, 4});

        assertThat(preview()).containsText("this server has no runner");
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
