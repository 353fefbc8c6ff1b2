package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OpenDocumentTest {
    private static final String NAMESPACES =
            "xmlns:office=\"urn:o\" xmlns:text=\"urn:t\" xmlns:table=\"urn:b\" xmlns:draw=\"urn:d\" xmlns:dc=\"urn:dc\""
                    + " xmlns:presentation=\"urn:p\" xmlns:style=\"urn:s\" xmlns:xlink=\"urn:x\"";

    static Zip file(String kind, String styles, String body) {
        return new Zip()
                .file("mimetype", "application/vnd.oasis.opendocument." + kind)
                .xml(
                        "content.xml",
                        "<office:document-content %s><office:automatic-styles>%s</office:automatic-styles><office:body>%s</office:body></office:document-content>"
                                .formatted(NAMESPACES, styles, body))
                .xml(
                        "meta.xml",
                        "<office:document-meta %s><dc:title>The title</dc:title></office:document-meta>"
                                .formatted(NAMESPACES));
    }

    @Test
    void textHasHeadingsListsTablesNotesAndComments() throws IOException {
        String numbered =
                "<text:list-style style:name=\"L1\"><text:list-level-style-number text:level=\"1\"/></text:list-style>";
        byte[] file =
                file(
                                "text",
                                numbered,
                                """
                                <office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
                                <text:h text:outline-level="1">One</text:h>
                                <text:p>a<text:s text:c="2"/>b<text:tab/>c<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note>
                                 d<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020</dc:date><text:p>hm</text:p></office:annotation></text:p>
                                <text:list text:style-name="L1"><text:list-item><text:p>first</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item>
                                <text:list-item><text:p>second</text:p></text:list-item></text:list>
                                <table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>y</text:p></table:table-cell></table:table-row></table:table>
                                <text:p><text:a xlink:href="https://example.org">link</text:a></text:p>
                                <text:h text:outline-level="1">Two</text:h></office:text>
                                """)
                        .xml(
                                "styles.xml",
                                "<office:document-styles %s><style:header><text:p>Top</text:p></style:header></office:document-styles>"
                                        .formatted(NAMESPACES))
                        .bytes();

        Extraction found = Extraction.of("a.odt", file);

        assertThat(found.header().title()).isEqualTo("The title");
        assertThat(found.parts())
                .extracting(DocumentPart::title)
                .containsExactly(null, "One", "Two");
        assertThat(found.text(0)).isEqualTo("[header: Top]");
        assertThat(found.text(1))
                .isEqualTo(
                        "# One\n\na  b\tc[^1] d [comment by Ann: hm]\n\n1. first\n  - inner\n2. second\n\n"
                                + "| x | y | y |\n\n[link](https://example.org)\n\n[^1]: note");
    }

    @Test
    void repeatedCellsOfASheetAreBounded() throws IOException {
        byte[] file =
                file(
                                "spreadsheet",
                                "<style:style style:name=\"ta2\"><style:table-properties table:display=\"false\"/></style:style>",
                                """
                                <office:spreadsheet><table:table table:name="Data">
                                <table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>1.5</text:p></table:table-cell>
                                <table:table-cell table:number-columns-repeated="16000"/></table:table-row>
                                <table:table-row table:number-rows-repeated="2"><table:table-cell/><table:covered-table-cell/><table:table-cell table:formula="of:=SUM([.A1])"/></table:table-row>
                                <table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
                                <table:table-row table:number-rows-repeated="900000000"><table:table-cell table:number-columns-repeated="900000000"><text:p>z</text:p></table:table-cell></table:table-row>
                                </table:table><table:table table:name="Hidden" table:style-name="ta2"/></office:spreadsheet>
                                """)
                        .bytes();

        Extraction some = Extraction.of("a.ods", file, "--sheet", "1", "--range", "A1:F10");
        Extraction all = Extraction.of("a.ods", file, "--max-text", "100000");

        assertThat(some.text())
                .isEqualTo(
                        "row | A | B\n1 | 1.5 | 1.5\n2 |  |  | =SUM([.A1])\n3 |  |  | =SUM([.A1])");
        assertThat(all.header().parts()).isEqualTo(2);
        assertThat(all.lines())
                .filteredOn(DocumentLine.Cut.class::isInstance)
                .singleElement()
                .asString()
                .contains("100000 bytes");
        assertThat(Extraction.of("a.ods", file, "--sheet", "Hidden").text())
                .isEqualTo("[This sheet is hidden.]");
    }

    @Test
    void slidesHaveTitlesAndNotes() throws IOException {
        byte[] file =
                file(
                                "presentation",
                                "",
                                """
                                <office:presentation><draw:page draw:name="page1"><draw:frame presentation:class="title"><draw:text-box><text:p>Hello</text:p></draw:text-box></draw:frame>
                                <draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>point</text:p></text:list-item></text:list></draw:text-box></draw:frame>
                                <presentation:notes><draw:page-thumbnail/><draw:frame><draw:text-box><text:p>remember</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
                                <draw:page draw:name="page2"/></office:presentation>
                                """)
                        .bytes();

        Extraction found = Extraction.of("a.odp", file);

        assertThat(found.header().parts()).isEqualTo(2);
        assertThat(found.text(0)).isEqualTo("# Hello\n\n- point\n\n[notes]\n\nremember");
        assertThat(found.text(1)).isEmpty();
    }

    @Test
    void anEncryptedDocumentSaysSo() throws IOException {
        byte[] file =
                file("text", "", "<office:text/>")
                        .xml(
                                "META-INF/manifest.xml",
                                "<manifest><file-entry><encryption-data/></file-entry></manifest>")
                        .bytes();

        assertThat(Extraction.of("a.odt", file).failure())
                .isEqualTo(DocumentLine.Failure.Code.ENCRYPTED);
    }
}
