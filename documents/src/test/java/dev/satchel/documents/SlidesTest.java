package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SlidesTest {
    private static final String NAMESPACES =
            "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\""
                    + " xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\""
                    + " xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";

    private static String shape(String placeholder, String paragraphs) {
        return "<p:sp><p:nvSpPr><p:cNvPr id=\"1\" name=\"x\"/><p:nvPr><p:ph %s/></p:nvPr></p:nvSpPr><p:txBody>%s</p:txBody></p:sp>"
                .formatted(placeholder, paragraphs);
    }

    private static String p(String text) {
        return "<a:p><a:r><a:t>" + text + "</a:t></a:r></a:p>";
    }

    private static String slide(String attributes, String shapes) {
        return "<p:sld %s %s><p:cSld><p:spTree>%s</p:spTree></p:cSld></p:sld>"
                .formatted(NAMESPACES, attributes, shapes);
    }

    private static Zip pptx() {
        String body =
                "<a:p><a:pPr lvl=\"1\"/><a:r><a:rPr><a:hlinkClick r:id=\"l\"/></a:rPr><a:t>linked</a:t></a:r></a:p>";
        String table =
                "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>%s</a:txBody></a:tc><a:tc><a:txBody>%s</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>"
                        .formatted(p("left"), p("right"));
        return new Zip()
                .xml("[Content_Types].xml", "<Types/>")
                .xml(
                        "ppt/presentation.xml",
                        "<p:presentation %s><p:sldIdLst><p:sldId id=\"256\" r:id=\"b\"/><p:sldId id=\"257\" r:id=\"a\"/></p:sldIdLst></p:presentation>"
                                .formatted(NAMESPACES))
                .xml(
                        "ppt/_rels/presentation.xml.rels",
                        Zip.relationships(
                                "a",
                                "slide",
                                "slides/slide1.xml",
                                "b",
                                "slide",
                                "slides/slide2.xml"))
                .xml(
                        "ppt/slides/slide1.xml",
                        slide("show=\"0\"", shape("type=\"title\"", p("Second"))))
                .xml(
                        "ppt/slides/slide2.xml",
                        slide(
                                "",
                                shape("type=\"ctrTitle\"", p("Opening"))
                                        + shape("idx=\"1\"", p("point") + body)
                                        + shape("type=\"sldNum\"", p("1"))
                                        + table))
                .xml(
                        "ppt/slides/_rels/slide2.xml.rels",
                        Zip.relationships(
                                "n",
                                "notesSlide",
                                "../notesSlides/notesSlide1.xml",
                                "l",
                                "hyperlink",
                                "https://example.org"))
                .xml(
                        "ppt/notesSlides/notesSlide1.xml",
                        "<p:notes %s>%s</p:notes>"
                                .formatted(
                                        NAMESPACES,
                                        shape("type=\"sldImg\"", p("x"))
                                                + shape("type=\"body\"", p("say hello"))));
    }

    @Test
    void slidesComeInTheOrderOfThePresentation() throws IOException {
        Extraction found = Extraction.of("talk.pptx", pptx().bytes());

        assertThat(found.header().parts()).isEqualTo(2);
        assertThat(found.parts())
                .extracting(DocumentPart::title)
                .containsExactly("Opening", "Second");
        assertThat(found.text(0))
                .isEqualTo(
                        "# Opening\n\n- point\n  - [linked](https://example.org)\n\n| left | right |\n\n[notes]\n\n- say hello");
        assertThat(found.text(1)).isEqualTo("# Second\n\n[This slide is hidden.]");
        assertThat(Extraction.of("talk.pptx", pptx().bytes(), "--pages", "2").parts()).hasSize(1);
    }
}
