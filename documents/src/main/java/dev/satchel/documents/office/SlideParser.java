package dev.satchel.documents.office;

import dev.satchel.documents.reading.Links;
import dev.satchel.documents.xml.Relationships.Relationship;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the shapes of a slide, or of the notes on it. */
final class SlideParser {
    private final XmlCursor xml;
    private final Drawing.Context context;

    SlideParser(XmlCursor xml, Drawing.Context context) {
        this.xml = xml;
        this.context = context;
    }

    void readInto(SlideText slide) throws IOException {
        while (xml.next()) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "sld" -> {
                    if (xml.isOff("show")) {
                        slide.paragraph("[This slide is hidden.]");
                    }
                }
                case "sp" -> shape(slide);
                case "tr" -> slide.row(row());
                case "pic", "graphicFrame" -> frame(slide);
                case "cNvPr" -> picture(slide);
                case "Fallback", "cSldViewPr", "timing", "transition" -> xml.skip();
                default -> {
                    // groups and frames: only what they enclose counts
                }
            }
        }
    }

    private void shape(SlideText slide) throws IOException {
        int inside = xml.depth();
        String placeholder = null;
        Drawing filling = new Drawing(context);
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("blip")) {
                boolean _ = filling.take(xml);
            } else if (xml.isStart("ph")) {
                String type = xml.attribute("type");
                placeholder = type == null ? "body" : type;
            } else if (xml.isStart("txBody")) {
                body(slide, placeholder == null ? "" : placeholder);
            }
        }
        filling.marks().forEach(slide::paragraph);
    }

    /** A picture, a table, a chart or a diagram. */
    private void frame(SlideText slide) throws IOException {
        Drawing drawing = new Drawing(context);
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("tr")) {
                slide.row(row());
            } else if (xml.isStart("Fallback")) {
                xml.skip();
            } else if (xml.isStart()) {
                boolean _ = drawing.take(xml); // the rest only encloses
            }
        }
        drawing.marks().forEach(slide::paragraph);
    }

    private void body(SlideText slide, String placeholder) throws IOException {
        int inside = xml.depth();
        boolean isTitle = placeholder.equals("title") || placeholder.equals("ctrTitle");
        boolean isMargin =
                placeholder.equals("sldNum")
                        || placeholder.equals("dt")
                        || placeholder.equals("sldImg");
        StringBuilder title = new StringBuilder();
        int counter = 0;
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart("p")) {
                continue;
            }
            Paragraph paragraph = paragraph();
            String text = paragraph.text.toString().strip();
            if (text.isEmpty() || isMargin) {
                continue;
            }
            counter = paragraph.isNumbered ? counter + 1 : 0;
            if (isTitle) {
                title.append(title.isEmpty() ? "" : " ").append(text);
            } else if (paragraph.isItem(placeholder)) {
                slide.item(paragraph.level, counter > 0 ? counter + "." : "-", text);
            } else {
                slide.paragraph(text);
            }
        }
        if (!title.isEmpty()) {
            slide.title(title.toString());
        }
    }

    /** What is collected of one paragraph. */
    private static final class Paragraph {
        final StringBuilder text = new StringBuilder();
        int level;
        boolean isNumbered;
        boolean hasBullet;
        boolean hasNoBullet;

        /**
         * The text of a body is a list unless it says otherwise; other text the other way round.
         */
        boolean isItem(String placeholder) {
            boolean isList = placeholder.equals("body") || placeholder.equals("obj");
            return !hasNoBullet && (isList || hasBullet || isNumbered);
        }
    }

    private Paragraph paragraph() throws IOException {
        Paragraph paragraph = new Paragraph();
        int inside = xml.depth();
        boolean isText = false;
        int runStart = 0;
        String link = null;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isText()) {
                if (isText) {
                    xml.appendTo(paragraph.text);
                }
                continue;
            }
            boolean isStart = xml.isStart();
            switch (xml.name()) {
                case "t" -> isText = isStart;
                case "r" -> {
                    if (isStart) {
                        runStart = paragraph.text.length();
                        link = null;
                    } else if (link != null) {
                        String shown = paragraph.text.substring(runStart);
                        paragraph.text.setLength(runStart);
                        paragraph.text.append(Links.format(shown, link));
                    }
                }
                case "hlinkClick" -> link = isStart ? address() : link;
                case "br" -> paragraph.text.append(isStart ? "\n" : "");
                case "tab" -> paragraph.text.append(isStart ? "\t" : "");
                case "pPr" -> paragraph.level = isStart ? xml.number("lvl", 0) : paragraph.level;
                case "buNone" -> paragraph.hasNoBullet = true;
                case "buChar", "buBlip" -> paragraph.hasBullet = true;
                case "buAutoNum" -> paragraph.isNumbered = true;
                default -> {
                    // how it looks
                }
            }
        }
        return paragraph;
    }

    private @Nullable String address() {
        Relationship target = context.related().find(xml.relationship("id"));
        return target != null && target.isExternal() ? target.target() : null;
    }

    private List<String> row() throws IOException {
        List<String> cells = new ArrayList<>();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("tc")) {
                cells.add(cell());
            }
        }
        return cells;
    }

    private String cell() throws IOException {
        StringBuilder text = new StringBuilder();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("p")) {
                text.append(text.isEmpty() ? "" : "\n").append(paragraph().text);
            }
        }
        return text.toString();
    }

    private void picture(SlideText slide) {
        String description = xml.attribute("descr");
        if (description != null && !description.isBlank()) {
            slide.paragraph("[picture: " + description.strip() + "]");
        }
    }
}
