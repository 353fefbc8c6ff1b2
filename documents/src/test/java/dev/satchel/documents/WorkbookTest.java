package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class WorkbookTest {
    private static final String NAMESPACES =
            "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
                    + " xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";

    static Zip xlsx(String workbookProperties, String rows) {
        return new Zip()
                .xml("[Content_Types].xml", "<Types/>")
                .xml(
                        "xl/workbook.xml",
                        """
                        <workbook %s>%s<sheets><sheet name="First" sheetId="1" r:id="r1"/>
                        <sheet name="Back room" sheetId="2" state="hidden" r:id="r2"/></sheets></workbook>
                        """
                                .formatted(NAMESPACES, workbookProperties))
                .xml(
                        "xl/_rels/workbook.xml.rels",
                        Zip.relationships(
                                "r1",
                                "worksheet",
                                "worksheets/sheet1.xml",
                                "r2",
                                "worksheet",
                                "worksheets/sheet2.xml",
                                "r3",
                                "sharedStrings",
                                "sharedStrings.xml",
                                "r4",
                                "styles",
                                "styles.xml"))
                .xml("xl/worksheets/sheet1.xml", sheet(rows))
                .xml(
                        "xl/worksheets/sheet2.xml",
                        sheet("<row r=\"1\"><c r=\"A1\"><v>7</v></c></row>"))
                .xml(
                        "xl/sharedStrings.xml",
                        """
                        <sst %s><si><t>Name</t></si><si><r><t>Rich </t></r><r><t>text</t></r><rPh><t>x</t></rPh></si></sst>
                        """
                                .formatted(NAMESPACES))
                .xml(
                        "xl/styles.xml",
                        """
                        <styleSheet %s><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/>
                        <numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="166" formatCode="00000"/>
                        <numFmt numFmtId="167" formatCode="0.0;(0.0);&quot;none&quot;"/><numFmt numFmtId="168" formatCode="[h]:mm"/></numFmts>
                        <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/>
                        <xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="168"/><xf numFmtId="21"/></cellXfs></styleSheet>
                        """
                                .formatted(NAMESPACES));
    }

    private static String sheet(String rows) {
        return "<worksheet %s><sheetData>%s</sheetData></worksheet>".formatted(NAMESPACES, rows);
    }

    private static String shown(String properties, int style, String value) throws IOException {
        String row =
                "<row r=\"1\"><c r=\"A1\" s=\"%d\"><v>%s</v></c></row>".formatted(style, value);
        Extraction found = Extraction.of("a.xlsx", xlsx(properties, row).bytes());
        return found.text(0).lines().toList().get(1).substring("1 | ".length());
    }

    @Test
    void cellsAreRowsWithTheirNumbers() throws IOException {
        byte[] file =
                xlsx(
                                "",
                                """
                                <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
                                <row r="3"><c r="A3" t="inlineStr"><is><t>a|b</t></is></c><c r="C3" t="b"><v>1</v></c></row>
                                <row r="4"><c r="A4" t="str"><f>A1&amp;"x"</f><v>Namex</v></c><c r="B4"><f>SUM(B1:B3)</f></c><c r="AZ4"><v>5</v></c></row>
                                <row r="5"><c r="A5" t="e"><v>#REF!</v></c></row>
                                """)
                        .bytes();

        Extraction found = Extraction.of("a.xlsx", file);

        assertThat(found.header().parts()).isEqualTo(2);
        assertThat(found.text(0))
                .isEqualTo(
                        """
                        row | A | B
                        1 | Name | Rich text
                        3 | a\\|b |  | TRUE
                        4 | Namex | =SUM(B1:B3) | … | AZ: 5
                        5 | #REF!"""
                                .stripIndent());
        assertThat(found.parts().get(1).title()).isEqualTo("Back room");
        assertThat(found.text(1)).startsWith("[This sheet is hidden.]\n").endsWith("1 | 7");
    }

    @Test
    void numbersAndDatesLookAsInTheSheet() throws IOException {
        assertThat(shown("", 0, "0.30000000000000004")).isEqualTo("0.3");
        assertThat(shown("", 0, "1E+25")).isEqualTo("1E+25");
        assertThat(shown("", 0, "123456789012")).isEqualTo("123456789012");
        assertThat(shown("", 1, "45352")).isEqualTo("2024-03-01");
        assertThat(shown("", 1, "59")).isEqualTo("1900-02-28");
        assertThat(shown("<workbookPr date1904=\"1\"/>", 1, "43890")).isEqualTo("2024-03-01");
        assertThat(shown("", 2, "0.12345")).isEqualTo("12.35%");
        assertThat(shown("", 3, "-1234567.891")).isEqualTo("-1,234,567.89 €");
        assertThat(shown("", 4, "45352.604166667")).isEqualTo("2024-03-01 14:30");
        assertThat(shown("", 5, "42")).isEqualTo("00042");
        assertThat(shown("", 6, "-2.25")).isEqualTo("(2.3)");
        assertThat(shown("", 6, "0")).isEqualTo("none");
        assertThat(shown("", 7, "1.5")).isEqualTo("36:00");
        assertThat(shown("", 8, "0.5")).isEqualTo("12:00:00");
    }

    @Test
    void aSheetAndARangeAreSelected() throws IOException {
        String rows =
                """
                <row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row>
                <row r="2"><c r="A2"><v>4</v></c><c r="B2"><v>5</v></c><c r="C2"><v>6</v></c></row>
                <row r="3"><c r="A3"><v>7</v></c></row>
                """;
        byte[] file = xlsx("", rows).bytes();

        assertThat(Extraction.of("a.xlsx", file, "--sheet", "first", "--range", "B1:C2").text())
                .isEqualTo("row | B | C\n1 | 2 | 3\n2 | 5 | 6");
        assertThat(Extraction.of("a.xlsx", file, "--sheet", "2").parts()).hasSize(1);
        Extraction wrong = Extraction.of("a.xlsx", file, "--sheet", "Third");
        assertThat(wrong.last().toString()).contains("First, Back room");
    }

    @Test
    void mergedCellsAndCommentsAreNamed() throws IOException {
        byte[] file =
                xlsx("", "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>")
                        .xml(
                                "xl/worksheets/sheet1.xml",
                                "<worksheet %s><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref=\"A1:B2\"/></mergeCells></worksheet>"
                                        .formatted(NAMESPACES))
                        .xml(
                                "xl/worksheets/_rels/sheet1.xml.rels",
                                Zip.relationships("c", "comments", "../comments1.xml"))
                        .xml(
                                "xl/comments1.xml",
                                "<comments %s><authors><author>Bob</author></authors><commentList><comment ref=\"A1\" authorId=\"0\"><text><r><t>check</t></r></text></comment></commentList></comments>"
                                        .formatted(NAMESPACES))
                        .bytes();

        assertThat(Extraction.of("a.xlsx", file).text(0))
                .isEqualTo("row | A\n1 | 1\n[Merged cells: A1:B2]\n[comment on A1 by Bob: check]");
    }
}
