package dev.satchel.documents.office;

import dev.satchel.documents.reading.CellRange;
import dev.satchel.documents.reading.RowWriter;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the cells of one sheet as they come. */
final class SheetParser {
    private static final int MAX_MERGES_NAMED = 50;

    private final XmlCursor xml;
    private final WorkbookReader.Cells cells;
    private final RowWriter rows;
    private final StringBuilder value = new StringBuilder();
    private final StringBuilder formula = new StringBuilder();
    private int row;
    private int column;

    SheetParser(XmlCursor xml, WorkbookReader.Cells cells, RowWriter rows) {
        this.xml = xml;
        this.cells = cells;
        this.rows = rows;
    }

    void read() throws IOException {
        StringBuilder merges = new StringBuilder();
        int merged = 0;
        while (xml.next()) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "dimension" -> dimension(xml.attribute("ref"));
                case "row" -> row();
                case "mergeCell" -> {
                    String area = xml.attribute("ref");
                    if (++merged <= MAX_MERGES_NAMED && area != null) {
                        merges.append(merges.isEmpty() ? "" : ", ").append(area);
                    }
                }
                default -> {
                    // widths, views and drawings
                }
            }
        }
        if (merged > 0) {
            rows.note(
                    "Merged cells: "
                            + merges
                            + (merged > MAX_MERGES_NAMED
                                    ? " and " + (merged - MAX_MERGES_NAMED) + " more"
                                    : ""));
        }
    }

    private void dimension(@Nullable String reference) {
        if (reference != null) {
            rows.expectColumns(
                    CellRange.columnNumber(reference.substring(reference.indexOf(':') + 1)));
        }
    }

    private void row() throws IOException {
        row = xml.number("r", row + 1);
        if (!rows.isWanted(row)) {
            xml.skip();
            return;
        }
        column = 0;
        rows.beginRow(row);
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("c")) {
                cell();
            }
        }
        rows.endRow();
    }

    private void cell() throws IOException {
        String reference = xml.attribute("r");
        int named = reference == null ? 0 : CellRange.columnNumber(reference);
        column = named == 0 ? column + 1 : named;
        String type = xml.attribute("t");
        int style = xml.number("s", 0);
        value.setLength(0);
        formula.setLength(0);
        content();
        rows.cell(column, shown(type == null ? "n" : type, style));
    }

    private void content() throws IOException {
        int inside = xml.depth();
        StringBuilder target = null;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isText()) {
                if (target != null) {
                    xml.appendTo(target);
                }
                continue;
            }
            switch (xml.name()) {
                case "v", "t" -> target = xml.isStart() ? value : null;
                case "f" -> target = xml.isStart() ? formula : null;
                case "rPh" -> {
                    if (xml.isStart()) {
                        xml.skip();
                    }
                }
                default -> {
                    // runs with a look of their own
                }
            }
        }
    }

    private String shown(String type, int style) {
        if (value.isEmpty()) {
            return formula.isEmpty() ? "" : "=" + formula;
        }
        return switch (type) {
            case "s" -> cells.strings().get(index());
            case "b" -> value.charAt(0) == '0' ? "FALSE" : "TRUE";
            case "n" -> cells.styles().format(style).format(value.toString(), cells.is1904());
            case "d" -> value.toString().replace('T', ' ');
            default -> value.toString();
        };
    }

    private int index() {
        try {
            return Integer.parseInt(value, 0, value.length(), 10);
        } catch (NumberFormatException _) {
            return -1;
        }
    }
}
