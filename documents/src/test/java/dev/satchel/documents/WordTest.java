package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class WordTest {
    private static final String W =
            "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\""
                    + " xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\""
                    + " xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\""
                    + " xmlns:wp=\"http://x/drawing\"";

    static Zip docx(String body) {
        return new Zip()
                .xml("[Content_Types].xml", "<Types/>")
                .xml(
                        "word/document.xml",
                        "<w:document %s><w:body>%s</w:body></w:document>".formatted(W, body))
                .xml(
                        "word/_rels/document.xml.rels",
                        Zip.relationships(
                                "s",
                                "styles",
                                "styles.xml",
                                "n",
                                "numbering",
                                "numbering.xml",
                                "f",
                                "footnotes",
                                "footnotes.xml",
                                "c",
                                "comments",
                                "comments.xml",
                                "h1",
                                "header",
                                "header1.xml",
                                "h2",
                                "header",
                                "header2.xml",
                                "o",
                                "footer",
                                "footer1.xml",
                                "link",
                                "hyperlink",
                                "https://example.org/a"));
    }

    static String p(String text) {
        return "<w:p><w:r><w:t xml:space=\"preserve\">" + text + "</w:t></w:r></w:p>";
    }

    private static String p(String properties, String text) {
        return "<w:p><w:pPr>%s</w:pPr><w:r><w:t>%s</w:t></w:r></w:p>".formatted(properties, text);
    }

    private static String row(String left, String right) {
        return "<w:tr><w:tc>" + p(left) + "</w:tc><w:tc>" + p(right) + "</w:tc></w:tr>";
    }

    private static String style(String id) {
        return "<w:pStyle w:val=\"" + id + "\"/>";
    }

    private static String list(int id, int level) {
        return "<w:numPr><w:ilvl w:val=\"%d\"/><w:numId w:val=\"%d\"/></w:numPr>"
                .formatted(level, id);
    }

    @Test
    void headingsAreFoundByNameAndByOutlineLevelInAnyLanguage() throws IOException {
        byte[] file =
                docx(p("before")
                                + p(style("berschrift1"), "Erstens")
                                + p("text one")
                                + p(style("Heading2"), "Zwei")
                                + p(style("Own"), "Zweitens")
                                + p("<w:outlineLvl w:val=\"2\"/>", "Direct"))
                        .xml(
                                "word/styles.xml",
                                """
                                <w:styles %s>
                                <w:style w:styleId="berschrift1"><w:name w:val="Überschrift 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
                                <w:style w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
                                <w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift1"/></w:style>
                                </w:styles>
                                """
                                        .formatted(W))
                        .bytes();

        Extraction found = Extraction.of("letter.docx", file);

        assertThat(found.header().format()).isEqualTo(DocumentFormat.DOCX);
        assertThat(found.parts())
                .extracting(DocumentPart::title)
                .containsExactly(null, "Erstens", "Zweitens");
        assertThat(found.text(1)).isEqualTo("# Erstens\n\ntext one\n\n## Zwei");
        assertThat(found.text(2)).isEqualTo("# Zweitens\n\n### Direct");
        assertThat(Extraction.of("letter.docx", file, "--pages", "2").text())
                .isEqualTo(found.text(1));
    }

    @Test
    void listsHaveTheirNumbers() throws IOException {
        byte[] file =
                docx(p(list(1, 0), "one")
                                + p(list(1, 1), "one one")
                                + p(list(1, 1), "one two")
                                + p(list(1, 0), "two")
                                + p(list(2, 0), "bullet"))
                        .xml(
                                "word/numbering.xml",
                                """
                                <w:numbering %s>
                                <w:abstractNum w:abstractNumId="7">
                                <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%%1."/></w:lvl>
                                <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%%1.%%2)"/></w:lvl>
                                </w:abstractNum>
                                <w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
                                <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
                                <w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
                                </w:numbering>
                                """
                                        .formatted(W))
                        .bytes();

        assertThat(Extraction.of("a.docx", file).text())
                .isEqualTo("1. one\n  1.a) one one\n  1.b) one two\n2. two\n- bullet");
    }

    @Test
    void notesCommentsHeadersAndFootersAreMarked() throws IOException {
        byte[] file =
                docx("<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r>"
                                + "<w:r><w:commentReference w:id=\"0\"/></w:r></w:p>")
                        .xml(
                                "word/footnotes.xml",
                                "<w:footnotes %s><w:footnote w:type=\"separator\" w:id=\"0\">%s</w:footnote><w:footnote w:id=\"2\">%s</w:footnote></w:footnotes>"
                                        .formatted(W, p("---"), p("the note")))
                        .xml(
                                "word/comments.xml",
                                "<w:comments %s><w:comment w:id=\"0\" w:author=\"Ann\">%s</w:comment></w:comments>"
                                        .formatted(W, p("why?")))
                        .xml("word/header1.xml", "<w:hdr %s>%s</w:hdr>".formatted(W, p("Secret")))
                        .xml("word/header2.xml", "<w:hdr %s>%s</w:hdr>".formatted(W, p("Secret")))
                        .xml("word/footer1.xml", "<w:ftr %s>%s</w:ftr>".formatted(W, p("Page")))
                        .bytes();

        assertThat(Extraction.of("a.docx", file).text())
                .isEqualTo(
                        "[header: Secret]\n\nText[^1] [comment by Ann: why?]\n\n[footer: Page]\n\n[^1]: the note");
    }

    @Test
    void tablesKeepTheirColumns() throws IOException {
        byte[] file =
                docx("<w:tbl>"
                                + row("Name", "A|B")
                                + "<w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>"
                                + p("wide")
                                + p("cell")
                                + "</w:tc></w:tr>"
                                + row("Ann", "3")
                                + "</w:tbl>"
                                + p("after"))
                        .bytes();

        assertThat(Extraction.of("a.docx", file).text())
                .isEqualTo("| Name | A\\|B |\n| wide cell |  |\n| Ann | 3 |\n\nafter");
    }

    @Test
    void insertionsAreShownAndDeletionsAreNot() throws IOException {
        byte[] file =
                docx("<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
                                + "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>")
                        .bytes();

        assertThat(Extraction.of("a.docx", file).text()).isEqualTo("new");
    }

    @Test
    void textBoxesLinksAndSignsAreText() throws IOException {
        String box = "<w:txbxContent>" + p("in the box") + "</w:txbxContent>";
        byte[] file =
                docx("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>"
                                + "<w:p><w:hyperlink r:id=\"link\"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>"
                                + "<w:p><w:r><w:fldChar/><w:instrText>PAGE</w:instrText></w:r><w:r>"
                                + "<mc:AlternateContent><mc:Choice>"
                                + box
                                + "</mc:Choice><mc:Fallback>"
                                + box
                                + "</mc:Fallback></mc:AlternateContent>"
                                + "</w:r></w:p>"
                                + "<w:p><w:r><w:drawing><wp:docPr descr=\"a cat\"/></w:drawing></w:r></w:p>"
                                + p("日本語 עברית é"))
                        .bytes();

        assertThat(Extraction.of("a.docx", file).text())
                .isEqualTo(
                        "a\tb\nc\n\n[here](https://example.org/a)\n\nin the box\n\n[picture: a cat]\n\n日本語 עברית é");
    }

    @Test
    void manyPredefinedEntitiesAndDeepTablesAreRead() throws IOException {
        String inner = p("deep");
        for (int i = 0; i < 50; i++) {
            inner = "<w:tbl><w:tr><w:tc>" + inner + "</w:tc></w:tr></w:tbl>";
        }
        byte[] file = docx(p("&amp;&#65;".repeat(100_000)) + inner).bytes();

        String text = Extraction.of("a.docx", file).text();

        assertThat(text).startsWith("&A&A").contains("deep");
    }

    @Test
    void aMissingMainPartIsADamagedFile() throws IOException {
        byte[] file = new Zip().xml("[Content_Types].xml", "<Types/>").bytes();

        assertThat(Extraction.of("a.docx", file).failure())
                .isEqualTo(DocumentLine.Failure.Code.BROKEN);
    }
}
