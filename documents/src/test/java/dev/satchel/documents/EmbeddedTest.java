package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine.End;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** Pictures and charts inside documents. */
class EmbeddedTest {
    private static final String NAMESPACES =
            "xmlns:w=\"w\" xmlns:wp=\"wp\" xmlns:a=\"a\" xmlns:c=\"c\" xmlns:p=\"p\" xmlns:xdr=\"x\""
                    + " xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";

    private static final String CHART =
            "<c:chartSpace %s><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>"
                            .formatted(NAMESPACES)
                    + "<c:plotArea><c:barChart>"
                    + series("North", "1", "2.5")
                    + series("South | East", "3", "")
                    + "</c:barChart><c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>EUR</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx>"
                    + "</c:plotArea></c:chart></c:chartSpace>";

    private static final String CHART_TEXT =
            "[chart: Sales; EUR]\n|  | North | South \\| East |\n| Jan | 1 | 3 |\n| Feb | 2.5 |  |";

    private static final String PICTURE =
            "<wp:inline><wp:docPr descr=\"A map\"/><a:graphic><a:blip r:embed=\"p\"/></a:graphic></wp:inline>";

    private static String series(String name, String first, String second) {
        return "<c:ser><c:tx><c:strRef><c:f>B1</c:f><c:strCache><c:pt idx=\"0\"><c:v>%s</c:v></c:pt></c:strCache></c:strRef></c:tx>"
                        .formatted(name)
                + "<c:cat><c:strRef><c:strCache><c:pt idx=\"0\"><c:v>Jan</c:v></c:pt><c:pt idx=\"1\"><c:v>Feb</c:v></c:pt></c:strCache></c:strRef></c:cat>"
                + "<c:val><c:numRef><c:numCache><c:pt idx=\"0\"><c:v>%s</c:v></c:pt>"
                        .formatted(first)
                + (second.isEmpty() ? "" : "<c:pt idx=\"1\"><c:v>%s</c:v></c:pt>".formatted(second))
                + "</c:numCache></c:numRef></c:val></c:ser>";
    }

    private static String drawing(String inside) {
        return "<w:p><w:r><w:drawing>" + inside + "</w:drawing></w:r></w:p>";
    }

    private static Zip docx(String body) throws IOException {
        return new Zip()
                .xml(
                        "word/document.xml",
                        "<w:document %s><w:body>%s</w:body></w:document>"
                                .formatted(NAMESPACES, body))
                .xml(
                        "word/_rels/document.xml.rels",
                        Zip.relationships(
                                "p",
                                "image",
                                "media/image1.png",
                                "c",
                                "chart",
                                "charts/chart1.xml"))
                .xml("word/charts/chart1.xml", CHART)
                .file("word/media/image1.png", png());
    }

    private static byte[] png() throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        boolean isWritten = ImageIO.write(PdfFile.scan("Invoice"), "png", png);
        assertThat(isWritten).isTrue();
        return png.toByteArray();
    }

    @Test
    void picturesOfALetterStandInTheirPlace() throws IOException {
        String pict =
                "<w:p><w:r><w:pict><v:imagedata xmlns:v=\"v\" r:id=\"p\"/></w:pict></w:r></w:p>";
        Zip letter = docx(WordTest.p("above") + drawing(PICTURE) + WordTest.p("below") + pict);

        assertThat(Extraction.of("a.docx", letter.bytes()).text())
                .isEqualTo(
                        "above\n\n[picture word/media/image1.png: A map]\n\nbelow\n\n"
                                + "[picture word/media/image1.png]");
    }

    @Test
    void chartsAreTheirTitlesAndTheirValues() throws IOException {
        Zip letter = docx(drawing("<c:chart r:id=\"c\"/>"));

        assertThat(Extraction.of("a.docx", letter.bytes()).text()).isEqualTo(CHART_TEXT);
    }

    @Test
    void chartsOfOffice2016AreReadToo() throws IOException {
        String waterfall =
                "<cx:chartSpace xmlns:cx=\"cx\" xmlns:a=\"a\"><cx:chartData><cx:data id=\"0\">"
                        + "<cx:strDim type=\"cat\"><cx:f>A1:A2</cx:f><cx:lvl><cx:pt idx=\"0\">Start</cx:pt><cx:pt idx=\"1\">End</cx:pt></cx:lvl></cx:strDim>"
                        + "<cx:numDim type=\"val\"><cx:lvl><cx:pt idx=\"0\">7</cx:pt><cx:pt idx=\"1\">9</cx:pt></cx:lvl></cx:numDim>"
                        + "</cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Bridge</a:t></a:r></a:p></cx:rich></cx:tx></cx:title></cx:chart></cx:chartSpace>";
        Zip letter = docx(drawing("<cx:chart r:id=\"c\"/>").replace("cx:", "c:"));
        letter.xml("word/charts/chart1.xml", waterfall);

        assertThat(Extraction.of("a.docx", letter.bytes()).text())
                .isEqualTo("[chart: Bridge]\n|  |  |\n| Start | 7 |\n| End | 9 |");
    }

    @Test
    void theTextOfPicturesIsReadByOcrUpToALimit() throws IOException {
        Zip letter =
                docx(
                        drawing(PICTURE)
                                + drawing(PICTURE)
                                + drawing(PICTURE.replace("\"p\"", "\"q\"")));
        letter.xml(
                        "word/_rels/document.xml.rels",
                        Zip.relationships(
                                "p", "image", "media/image1.png", "q", "image", "media/b.png"))
                .file("word/media/b.png", png());

        Extraction found =
                Extraction.of("a.docx", letter.bytes(), "--ocr", "eng", "--max-pictures", "1");

        String read = "[picture word/media/image1.png: A map]\n[text in the picture: Invoice]";
        assertThat(found.text())
                .isEqualTo(
                        read
                                + "\n\n"
                                + read
                                + "\n\n[picture word/media/b.png: A map]\n"
                                + "[its text is not read: only that of the first 1 pictures is]");
    }

    @Test
    void pictureThatIsDamagedOrMissingTakesNothingWithIt() throws IOException {
        Zip letter =
                docx(
                        drawing(PICTURE)
                                + drawing(PICTURE.replace("\"p\"", "\"q\""))
                                + WordTest.p("x"));
        letter.file("word/media/image1.png", "\u0089PNG\r\n and nothing more")
                .xml(
                        "word/_rels/document.xml.rels",
                        Zip.relationships(
                                "p",
                                "image",
                                "media/image1.png",
                                "q",
                                "image",
                                "https://example.org/a.png"));

        Extraction found = Extraction.of("a.docx", letter.bytes(), "--ocr", "eng");

        assertThat(found.text())
                .isEqualTo(
                        "[picture word/media/image1.png: A map]\n\n"
                                + "[picture https://example.org/a.png: A map]\n\nx");
        assertThat(found.last()).isEqualTo(new End());
    }

    @Test
    void chartThatIsDamagedTakesNothingWithIt() throws IOException {
        Zip letter = docx(drawing("<c:chart r:id=\"c\"/>") + WordTest.p("below"));
        letter.file("word/charts/chart1.xml", "<c:chartSpace xmlns:c='c'><c:ser>");
        String object = "<draw:frame><draw:object xlink:href=\"./Object 1\"/></draw:frame>";

        assertThat(Extraction.of("a.docx", letter.bytes()).text())
                .isEqualTo("[chart word/charts/chart1.xml: it is damaged]\n\nbelow");
        assertThat(odf("text", object + "<text:p>below</text:p>", "<x>").text())
                .isEqualTo("[object Object 1: it is damaged]\n\nbelow");
    }

    @Test
    void slidesNamePicturesAndShowCharts() throws IOException {
        Zip slides =
                new Zip()
                        .xml(
                                "ppt/presentation.xml",
                                "<p:presentation %s><p:sldId r:id=\"a\"/></p:presentation>"
                                        .formatted(NAMESPACES))
                        .xml(
                                "ppt/_rels/presentation.xml.rels",
                                Zip.relationships("a", "slide", "slides/slide1.xml"))
                        .xml(
                                "ppt/slides/slide1.xml",
                                "<p:sld %s><p:pic><p:cNvPr descr=\"A map\"/><a:blip r:embed=\"p\"/></p:pic><p:graphicFrame><p:cNvPr/><c:chart r:id=\"c\"/></p:graphicFrame></p:sld>"
                                        .formatted(NAMESPACES))
                        .xml(
                                "ppt/slides/_rels/slide1.xml.rels",
                                Zip.relationships(
                                        "p",
                                        "image",
                                        "../media/image1.png",
                                        "c",
                                        "chart",
                                        "../charts/chart1.xml"))
                        .xml("ppt/charts/chart1.xml", CHART);

        assertThat(Extraction.of("a.pptx", slides.bytes()).text())
                .isEqualTo("[picture ppt/media/image1.png: A map]\n\n" + CHART_TEXT);
    }

    @Test
    void drawingsOfASheetHaveTheirCells() throws IOException {
        String anchor =
                "<xdr:twoCellAnchor><xdr:from><xdr:col>%d</xdr:col><xdr:row>%d</xdr:row></xdr:from>%s</xdr:twoCellAnchor>";
        Zip book =
                WorkbookTest.xlsx("", "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>")
                        .xml(
                                "xl/worksheets/_rels/sheet1.xml.rels",
                                Zip.relationships("d", "drawing", "../drawings/drawing1.xml"))
                        .xml(
                                "xl/drawings/drawing1.xml",
                                "<xdr:wsDr %s>".formatted(NAMESPACES)
                                        + anchor.formatted(3, 1, "<c:chart r:id=\"c\"/>")
                                        + anchor.formatted(27, 9, "<a:blip r:embed=\"p\"/>")
                                        + anchor.formatted(
                                                0,
                                                0,
                                                "<xdr:txBody><a:p><a:r><a:t>Look</a:t></a:r></a:p></xdr:txBody>")
                                        + "</xdr:wsDr>")
                        .xml(
                                "xl/drawings/_rels/drawing1.xml.rels",
                                Zip.relationships(
                                        "c",
                                        "chart",
                                        "../charts/chart1.xml",
                                        "p",
                                        "image",
                                        "../media/image1.png"))
                        .xml("xl/charts/chart1.xml", CHART);

        assertThat(Extraction.of("a.xlsx", book.bytes()).text(0))
                .isEqualTo(
                        "row | A\n1 | 1\nD2: "
                                + CHART_TEXT
                                + "\nAB10: [picture xl/media/image1.png]\nA1: [text box: Look]");
        assertThat(Extraction.of("a.xlsx", book.bytes(), "--range", "A1:B2").text(0))
                .isEqualTo("row | A\n1 | 1\nA1: [text box: Look]");
    }

    @Test
    void openDocumentsNamePicturesAndShowCharts() throws IOException {
        String picture =
                "<draw:frame xmlns:svg=\"v\"><draw:image xlink:href=\"Pictures/1.png\"/><svg:title>Map</svg:title><svg:desc>of Rome</svg:desc></draw:frame>";
        String chart =
                "<draw:frame><draw:object xlink:href=\"./Object 1\"/><draw:image xlink:href=\"./ObjectReplacements/Object 1\"/></draw:frame>";
        String content =
                "<office:document-content xmlns:office=\"o\" xmlns:chart=\"c\" xmlns:text=\"t\" xmlns:table=\"b\"><office:chart><chart:title><text:p>Sales</text:p></chart:title>"
                        + "<table:table><table:table-row><table:table-cell><text:p>Jan</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row></table:table></office:chart></office:document-content>";
        String pictureText = "[picture Pictures/1.png: Map; of Rome]";
        String chartText = "[chart: Sales]\n| Jan | 7 |";

        assertThat(odf("text", "<text:p>see" + picture + "</text:p>" + chart, content).text())
                .isEqualTo("see\n" + pictureText + "\n\n" + chartText);
        assertThat(
                        odf(
                                        "presentation",
                                        "<draw:page>" + picture + chart + "</draw:page>",
                                        content)
                                .text())
                .isEqualTo(pictureText + "\n\n" + chartText);
        assertThat(
                        odf(
                                        "spreadsheet",
                                        "<table:table table:name=\"s\"><table:shapes>"
                                                + chart
                                                + "</table:shapes><table:table-row><table:table-cell><text:p>1</text:p>"
                                                + picture
                                                + "</table:table-cell></table:table-row></table:table>",
                                        content)
                                .text())
                .isEqualTo("row | A\n1 | 1\n" + chartText + "\nA1: " + pictureText);
    }

    private static Extraction odf(String kind, String body, String object) throws IOException {
        Zip zip = OpenDocumentTest.file(kind, "", body).xml("Object 1/content.xml", object);
        return Extraction.of("a." + kind, zip.bytes());
    }
}
