package dev.satchel.documents.opendocument;

import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.CellRange;
import dev.satchel.documents.reading.RowWriter;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one sheet. A row or a cell that says it is repeated is written as often. */
final class OdfRows {
    /** A sheet is filled to its end with repeated rows; only a few of them can have text. */
    private static final int MAX_REPEATED_ROWS = 10_000;

    private static final int MAX_REPEATED_CELLS = 1000;

    private final XmlCursor xml;
    private final RowWriter rows;
    private final List<String> comments = new ArrayList<>();
    private final List<String> drawings = new ArrayList<>();
    private final OdfText reader;
    private int row;

    private record Cell(int column, int repeated, String text) {}

    OdfRows(XmlCursor xml, OdfFrame.Objects objects, RowWriter rows) {
        this.xml = xml;
        this.reader = new OdfText(xml, objects, note -> " (" + note + ")");
        this.rows = rows;
    }

    /** Reads the sheet that starts here. */
    void read(int number, boolean isHidden) throws IOException {
        rows.begin(DocumentPart.Kind.SHEET, number, xml.attribute("name"));
        if (isHidden) {
            rows.note("This sheet is hidden.");
        }
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("table-row")) {
                row();
            } else if (xml.isStart("frame")) {
                drawing("");
            } else if (xml.isStart("table")) {
                xml.skip();
            }
        }
        for (String comment : comments) {
            rows.note(comment);
        }
        drawings.forEach(rows::after);
        rows.end();
    }

    /** A chart, a picture or a text box, with the cell that it lies on. */
    private void drawing(String place) throws IOException {
        String text = reader.read();
        if (!text.isEmpty()) {
            drawings.add(place + text);
        }
    }

    private void row() throws IOException {
        int repeated = Math.max(1, xml.number("number-rows-repeated", 1));
        int first = row + 1;
        row = (int) Math.min((long) row + repeated, Integer.MAX_VALUE - 1);
        if (rows.isPast(first)) {
            xml.skip();
            return;
        }
        List<Cell> cells = cells(first);
        if (cells.isEmpty()) {
            return;
        }
        int written = Math.min(repeated, MAX_REPEATED_ROWS);
        for (int i = first; i < first + written; i++) {
            if (rows.isWanted(i)) {
                write(i, cells);
            }
        }
        if (repeated > written) {
            rows.note("Row " + first + " is repeated up to row " + row);
        }
    }

    private void write(int number, List<Cell> cells) throws IOException {
        rows.beginRow(number);
        for (Cell cell : cells) {
            for (int i = 0; i < cell.repeated(); i++) {
                rows.cell(cell.column() + i, cell.text());
            }
        }
        rows.endRow();
    }

    /** The cells that have text. */
    private List<Cell> cells(int number) throws IOException {
        List<Cell> cells = new ArrayList<>();
        int inside = xml.depth();
        int column = 1;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("table-cell") || xml.isStart("covered-table-cell")) {
                int repeated = Math.max(1, xml.number("number-columns-repeated", 1));
                String text = cell(number, column);
                if (!text.isEmpty()) {
                    cells.add(new Cell(column, Math.min(repeated, MAX_REPEATED_CELLS), text));
                }
                column = (int) Math.min((long) column + repeated, Integer.MAX_VALUE / 2);
            }
        }
        return cells;
    }

    /** What the cell shows; its formula if it shows nothing. */
    private String cell(int number, int column) throws IOException {
        String formula = xml.attribute("formula");
        String value = xml.attribute("value");
        StringBuilder text = new StringBuilder();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("p")) {
                text.append(text.isEmpty() ? "" : "\n").append(reader.read());
            } else if (xml.isStart("frame")) {
                drawing(CellRange.columnName(column) + number + ": ");
            } else if (xml.isStart("annotation")) {
                comments.add(CellRange.columnName(column) + number + ":" + reader.comment());
            }
        }
        return text.isEmpty() ? withoutText(formula, value) : text.toString();
    }

    private static String withoutText(@Nullable String formula, @Nullable String value) {
        if (value != null) {
            return value;
        }
        return formula == null ? "" : formula.replaceFirst("^[a-z]+:", "");
    }
}
