package dev.satchel.tools.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.tools.FileToolTest;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.UnscaledImageLoader;
import dev.satchel.tools.view.ViewTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How view shows documents, and what it asks of their reader. */
class ViewDocumentTest extends FileToolTest {
    private final ScriptedDocuments documents = new ScriptedDocuments();
    private final ViewTool view = new ViewTool();

    @Override
    protected ToolResult call(JsonNode arguments) throws Exception {
        return view.call(
                arguments, new ViewTool.Context(files, new UnscaledImageLoader(), documents));
    }

    @Test
    void pagesHaveHeadings() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("one\ntwo", "three"));
        assertThat(succeeds("{'path': 'a.pdf'}"))
                .isEqualTo("(PDF, 2 pages)\n## page 1\none\ntwo\n\n## page 2\nthree");
    }

    @Test
    void pagesAndLinesAreSelected() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("one", "two\n2b", "three", "four"));
        assertThat(succeeds("{'path': 'a.pdf', 'pages': '2-3'}"))
                .isEqualTo("(PDF, 4 pages)\n## page 2\ntwo\n2b\n\n## page 3\nthree");
        assertThat(succeeds("{'path': 'a.pdf', 'pages': 4}"))
                .isEqualTo("(PDF, 4 pages)\n## page 4\nfour");
        assertThat(succeeds("{'path': 'a.pdf', 'pages': '2-', 'view_range': [2, 3]}"))
                .isEqualTo("(PDF, 4 pages)\n## page 2\n2b\n\n## page 3\nthree");
        assertThat(succeeds("{'path': 'a.pdf', 'pages': '9'}"))
                .isEqualTo("(PDF, 4 pages)\n(There is no such part.)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "7-3", "a", "1,2", "-", ""})
    void wrongPagesAreRefused(String pages) throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("one"));
        assertThat(fails("{'path': 'a.pdf', 'pages': '" + pages + "'}"))
                .isEqualTo("pages must be like \"3\", \"3-7\" or \"3-\"");
    }

    @Test
    void longDocumentIsCutWithTheWayToGoOn() throws Exception {
        String page = ("x".repeat(1_000) + "\n").repeat(10).strip();
        file("a.pdf", ScriptedDocuments.pdf(page, page, page));
        assertThat(succeeds("{'path': 'a.pdf'}"))
                .endsWith("(There is more. Use pages=\"3-\" to continue.)");
        assertThat(succeeds("{'path': 'a.pdf', 'pages': '1-3'}"))
                .endsWith("(There is more. Use pages=\"3-3\" to continue.)");
        String lines = "line\n".repeat(9_000).strip();
        file("b.pdf", ScriptedDocuments.pdf("one", lines));
        assertThat(succeeds("{'path': 'b.pdf'}"))
                .containsPattern(
                        "\\(There is more. Use pages=\"2-\" with view_range=\\[40\\d\\d, -1] to continue.\\)$");
        assertThat(succeeds("{'path': 'b.pdf', 'pages': '2', 'view_range': [9000, -1]}"))
                .isEqualTo("(PDF, 2 pages)\n## page 2\nline");
        assertThat(succeeds("{'path': 'b.pdf', 'forceReadLargeFiles': true}"))
                .doesNotContain("There is more");
    }

    @Test
    void pagesBehindTheLimitOfTheWholeAreReadOnTheirOwn() throws Exception {
        documents.maxPages = 2;
        file("a.pdf", ScriptedDocuments.pdf("one", "two", "three"));
        assertThat(succeeds("{'path': 'a.pdf'}")).endsWith("two\n\n(The rest is missing.)");
        assertThat(succeeds("{'path': 'a.pdf', 'pages': '3'}")).endsWith("## page 3\nthree");
        assertThat(documents.read).containsExactly("a.pdf", "a.pdf", "a.pdf 3");
    }

    @Test
    void picturesSayHowTheyAreRead() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("picture", "two"));
        assertThat(succeeds("{'path': 'a.pdf'}"))
                .startsWith("(PDF, 2 pages)\n## page 1\n(a picture without text)\n")
                .contains("1 page is a picture", "tesseract", "SATCHEL_OCR", "render=true");
    }

    @Test
    void aPageInWhichOcrFoundNoTextIsNotCalledUnread() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("blank", "two"));
        assertThat(succeeds("{'path': 'a.pdf'}"))
                .contains("1 page is a picture in which OCR found no text.", "render=true")
                .doesNotContain("SATCHEL_OCR");
    }

    @Test
    void theTextOfAPictureStandsBelowItWhereOcrIsOn() throws Exception {
        file("a.gif", ScriptedDocuments.PICTURE + "Invoice 4711\nSum 8");
        file("none.gif", ScriptedDocuments.PICTURE);
        file("bad.gif", ScriptedDocuments.PICTURE + "locked");
        String shown = "Viewed image file successfully.";
        assertThat(succeeds("{'path': 'a.gif'}")).isEqualTo(shown);
        assertThat(documents.read).as("it costs nothing where OCR is off").isEmpty();

        documents.readsPictures = true;
        ToolResult result = call("{'path': 'a.gif'}");
        assertThat(result.text())
                .isEqualTo(shown + "\n\nText in the picture (OCR):\nInvoice 4711\nSum 8");
        assertThat(result.images()).hasSize(1);
        assertThat(succeeds("{'path': 'none.gif'}")).isEqualTo(shown);
        assertThat(succeeds("{'path': 'bad.gif'}"))
                .isEqualTo(
                        shown
                                + "\n\n(The text in the picture was not read. Cannot read bad.gif."
                                + " OCR failed.)");
    }

    @Test
    void longTextOfAPictureIsCutWithTheWayToGoOn() throws Exception {
        documents.readsPictures = true;
        file("a.gif", ScriptedDocuments.PICTURE + "line\n".repeat(9_000).strip());
        assertThat(succeeds("{'path': 'a.gif'}"))
                .containsPattern("There is more. Use view_range=\\[40\\d\\d, -1] with raw=false");
        assertThat(succeeds("{'path': 'a.gif', 'view_range': [9000, -1]}"))
                .endsWith("Text in the picture (OCR):\nline");
    }

    @Test
    void aPictureThatCannotBeShownHasItsTextAllTheSame() throws Exception {
        file("scan.tif", ScriptedDocuments.SCAN + "scanned");
        assertThat(fails("{'path': 'scan.tif'}")).startsWith("Cannot display binary file");
        documents.readsPictures = true;
        assertThat(succeeds("{'path': 'scan.tif'}"))
                .isEqualTo("Text in the picture (OCR):\nscanned");
    }

    @Test
    void aPageIsShownAsAPictureWithinTheLimitsOfTheModel() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("one"));
        ToolResult result = call("{'path': 'a.pdf', 'pages': '1', 'render': true}");
        assertThat(result.text()).isEqualTo("Page 1 of a.pdf as a picture.");
        assertThat(result.images()).hasSize(1);
        assertThat(fails("{'path': 'a.pdf', 'render': true}"))
                .isEqualTo("render needs one page, such as pages \"3\"");
        assertThat(fails("{'path': 'a.pdf', 'pages': '1-2', 'render': true}"))
                .isEqualTo("render needs one page, such as pages \"3\"");
    }

    @Test
    void unreadableDocumentIsAFailureInWords() throws Exception {
        file("a.pdf", ScriptedDocuments.pdf("locked"));
        assertThat(fails("{'path': 'a.pdf'}")).isEqualTo("Cannot read a.pdf. It needs a password.");
    }

    @Test
    void sourceOfATextFileIsShownWhereItIsWanted() throws Exception {
        file("a.html", "<p>one</p>\n<p>two</p>\n");
        assertThat(succeeds("{'path': 'a.html', 'raw': true}"))
                .isEqualTo("1. <p>one</p>\n2. <p>two</p>");
        assertThat(succeeds("{'path': 'a.html', 'view_range': [2, 2]}")).isEqualTo("2. <p>two</p>");
        assertThat(documents.read).isEmpty();
    }
}
