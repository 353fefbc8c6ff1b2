package dev.satchel.documents.office;

import dev.satchel.documents.office.WordStyles.ListLevel;
import dev.satchel.documents.reading.Links;
import dev.satchel.documents.reading.SectionWriter;
import dev.satchel.documents.xml.Relationships.Relationship;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the main part of a docx: paragraphs and tables, one after the other. */
final class WordBody {
    private static final int MAX_SPAN = 100;

    private final XmlCursor xml;
    private final WordContext context;
    private final SectionWriter sections;

    WordBody(XmlCursor xml, WordContext context, SectionWriter sections) {
        this.xml = xml;
        this.context = context;
        this.sections = sections;
    }

    void read() throws IOException {
        while (xml.next() && !sections.isDone()) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "p" -> paragraph();
                case "tbl" -> table();
                case "del", "moveFrom", "Fallback", "sectPr" -> xml.skip();
                default -> {
                    // the body, content controls, insertions: only what they enclose counts
                }
            }
        }
    }

    private void paragraph() throws IOException {
        Paragraph paragraph = new Paragraph();
        readInto(paragraph);
        int heading =
                paragraph.outline > 0
                        ? paragraph.outline
                        : context.styles().headingLevel(paragraph.style);
        String marker = marker(paragraph);
        String text = paragraph.text.toString().strip();
        if (text.isEmpty()) {
            return;
        }
        if (heading > 0) {
            boolean isNumbered = marker != null && !marker.equals("-") && !marker.isEmpty();
            sections.heading(heading, isNumbered ? marker + " " + text : text);
        } else if (marker == null) {
            sections.blocks().paragraph(text);
        } else {
            sections.blocks().item(paragraph.level, marker.isEmpty() ? "-" : marker, text);
        }
    }

    /** The number or the sign of a list item, null outside lists. Counting is the side effect. */
    private @Nullable String marker(Paragraph paragraph) {
        String list = paragraph.list;
        if (list == null) {
            ListLevel ofStyle = context.styles().list(paragraph.style);
            if (ofStyle == null) {
                return null;
            }
            list = ofStyle.numbering();
            paragraph.level = ofStyle.level();
        }
        return list.equals("0") ? null : context.numbering().next(list, paragraph.level);
    }

    /** What is collected of one paragraph. Text boxes in it are read as lines of their own. */
    private static final class Paragraph {
        final StringBuilder text = new StringBuilder();
        @Nullable String style;
        @Nullable String list;
        int level;
        int outline;
    }

    /** Reads the element that starts here, up to its end. */
    private void readInto(Paragraph paragraph) throws IOException {
        int inside = xml.depth();
        boolean isText = false;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isText()) {
                if (isText) {
                    xml.appendTo(paragraph.text);
                }
            } else if (xml.name().equals("t")) {
                isText = xml.isStart();
            } else if (xml.isStart()) {
                element(paragraph);
            }
        }
    }

    private void element(Paragraph paragraph) throws IOException {
        StringBuilder text = paragraph.text;
        switch (xml.name()) {
            case "pPr" -> properties(paragraph);
            case "tab", "ptab" -> text.append('\t');
            case "br", "cr" -> text.append('\n');
            case "noBreakHyphen" -> text.append('-');
            case "sym" -> symbol(text);
            case "hyperlink" -> link(paragraph);
            case "footnoteReference" ->
                    text.append(sections.footnote(context.footnotes().text(xml.attribute("id"))));
            case "endnoteReference" ->
                    text.append(sections.footnote(context.endnotes().text(xml.attribute("id"))));
            case "commentReference" -> comment(text);
            case "drawing", "pict", "object" -> drawing(text);
            case "rPr", "del", "moveFrom", "Fallback", "instrText", "delText" -> xml.skip();
            default -> {
                // runs, insertions and fields: only what they enclose counts
            }
        }
    }

    private void properties(Paragraph paragraph) throws IOException {
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "pStyle" -> paragraph.style = xml.attribute("val");
                case "outlineLvl" -> {
                    int level = xml.number("val", 9);
                    paragraph.outline = level >= 9 ? 0 : level + 1;
                }
                case "numId" -> paragraph.list = xml.attribute("val");
                case "ilvl" -> paragraph.level = xml.number("val", 0);
                case "rPr", "pPrChange", "sectPr" -> xml.skip();
                default -> {
                    // how it looks
                }
            }
        }
    }

    private void symbol(StringBuilder text) {
        String code = xml.attribute("char");
        if (code != null && code.matches("[0-9A-Fa-f]{4}")) {
            int value = Integer.parseInt(code, 16);
            // symbol fonts have their signs in the private area, where they mean nothing
            text.append(value >= 0xf000 && value <= 0xf0ff ? '•' : (char) value);
        }
    }

    private void link(Paragraph paragraph) throws IOException {
        Relationship target = context.drawings().related().find(xml.relationship("id"));
        int start = paragraph.text.length();
        readInto(paragraph);
        if (target != null && target.isExternal()) {
            String shown = paragraph.text.substring(start);
            paragraph.text.setLength(start);
            paragraph.text.append(Links.format(shown, target.target()));
        }
    }

    private void comment(StringBuilder text) {
        String comment = context.comments().text(xml.attribute("id"));
        if (!comment.isEmpty()) {
            text.append(" [comment by ").append(comment.replace('\n', ' ')).append("]");
        }
    }

    /** Pictures, charts and text boxes. */
    private void drawing(StringBuilder text) throws IOException {
        Drawing drawing = new Drawing(context.drawings());
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("txbxContent")) {
                textBox(text);
            } else if (xml.isStart("Fallback")) {
                xml.skip();
            } else if (xml.isStart()) {
                boolean _ = drawing.take(xml); // the rest only encloses
            }
        }
        for (String mark : drawing.marks()) {
            text.append(mark.contains("\n") ? "\n" + mark + "\n" : mark);
        }
    }

    private void textBox(StringBuilder text) throws IOException {
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("p")) {
                Paragraph paragraph = new Paragraph();
                readInto(paragraph);
                text.append('\n').append(paragraph.text);
            }
        }
        text.append('\n');
    }

    private void table() throws IOException {
        int inside = xml.depth();
        sections.blocks().close();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("tr")) {
                sections.blocks().row(row());
            } else if (xml.isStart("del")) {
                xml.skip();
            }
        }
        sections.blocks().close();
    }

    private List<String> row() throws IOException {
        List<String> cells = new ArrayList<>();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("tc")) {
                cell(cells);
            }
        }
        return cells;
    }

    /** A merged cell has its text in the first place and leaves the others empty. */
    private void cell(List<String> cells) throws IOException {
        StringBuilder text = new StringBuilder();
        int span = 1;
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("gridSpan")) {
                span = Math.clamp(xml.number("val", 1), 1, MAX_SPAN);
            } else if (xml.isStart("p")) {
                Paragraph paragraph = new Paragraph();
                readInto(paragraph);
                text.append(text.isEmpty() ? "" : "\n").append(paragraph.text);
            } else if (xml.isStart("del") || xml.isStart("Fallback")) {
                xml.skip();
            }
        }
        cells.add(text.toString());
        for (int i = 1; i < span; i++) {
            cells.add("");
        }
    }
}
