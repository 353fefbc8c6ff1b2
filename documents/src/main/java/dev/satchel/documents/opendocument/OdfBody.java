package dev.satchel.documents.opendocument;

import dev.satchel.documents.reading.TextSink;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads paragraphs, lists and tables of a text or of a slide, and writes them as they come. */
final class OdfBody {
    private static final int MAX_REPEATED_COLUMNS = 100;
    private static final int MAX_REPEATED_ROWS = 1000;

    private final XmlCursor xml;
    private final OdfStyles styles;
    private final TextSink sink;
    private final OdfText text;
    private final OdfFrame frame;

    OdfBody(XmlCursor xml, OdfFrame.Objects objects, OdfStyles styles, TextSink sink) {
        this.xml = xml;
        this.styles = styles;
        this.sink = sink;
        this.text = new OdfText(xml, objects, sink::footnote);
        this.frame = new OdfFrame(objects);
    }

    /** Reads the element that starts here if it is text; gives whether it was. */
    boolean read() throws IOException {
        switch (xml.name()) {
            case "h" -> {
                int level = xml.number("outline-level", 1);
                sink.heading(level, text.read());
            }
            case "p" -> sink.blocks().paragraph(text.read());
            case "list" -> list("", 0);
            case "table" -> table();
            case "annotation" -> sink.blocks().paragraph(text.comment().strip());
            case "tracked-changes", "sequence-decls", "forms", "binary-data" -> xml.skip();
            default -> {
                return frame.take(xml);
            }
        }
        return true;
    }

    /** At the end of a frame: writes the picture or the chart that it has. */
    void endFrame() throws IOException {
        for (String mark : frame.marks()) {
            sink.blocks().paragraph(mark);
        }
    }

    private void list(String outerStyle, int depth) throws IOException {
        String own = xml.attribute("style-name");
        String style = own == null ? outerStyle : own;
        boolean isNumbered = styles.isNumbered(style, depth + 1);
        int inside = xml.depth();
        int number = 0;
        if (depth == 0) {
            sink.blocks().close();
        }
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("list-item") || xml.isStart("list-header")) {
                number = xml.number("start-value", number + 1);
                item(style, depth, isNumbered ? number + "." : "-");
            }
        }
    }

    private void item(String style, int depth, String marker) throws IOException {
        int inside = xml.depth();
        String next = marker;
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            if (xml.name().equals("list")) {
                list(style, depth + 1);
            } else if (xml.name().equals("p") || xml.name().equals("h")) {
                sink.blocks().item(depth, next, text.read());
                next = " ";
            }
        }
    }

    private void table() throws IOException {
        int inside = xml.depth();
        sink.blocks().close();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("table-row")) {
                int repeated =
                        Math.clamp(xml.number("number-rows-repeated", 1), 1, MAX_REPEATED_ROWS);
                List<String> cells = row();
                for (int i = 0; i < repeated; i++) {
                    sink.blocks().row(cells);
                }
            }
        }
        sink.blocks().close();
    }

    private List<String> row() throws IOException {
        List<String> cells = new ArrayList<>();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("table-cell") || xml.isStart("covered-table-cell")) {
                int repeated =
                        Math.clamp(
                                xml.number("number-columns-repeated", 1), 1, MAX_REPEATED_COLUMNS);
                String cell = text.read();
                for (int i = 0; i < repeated && cells.size() < MAX_REPEATED_COLUMNS * 10; i++) {
                    cells.add(cell);
                }
            }
        }
        return cells;
    }
}
