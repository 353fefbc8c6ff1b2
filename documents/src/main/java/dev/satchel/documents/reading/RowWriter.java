package dev.satchel.documents.reading;

import dev.satchel.documents.DocumentPart;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of a sheet, each with its number: {@code 3 | Ann | 42}. The first line has the
 * letters of the columns. Empty rows are left out.
 */
public final class RowWriter {
    private static final int WIDE_GAP = 16;

    private final PartWriter out;
    private final CellRange range;
    private final StringBuilder line = new StringBuilder();
    private final StringBuilder notes = new StringBuilder();
    private int row;
    private int column;
    private int width;
    private long cells;
    private boolean isFirst;

    public RowWriter(PartWriter out, CellRange range) {
        this.out = out;
        this.range = range;
    }

    public void begin(DocumentPart.Kind kind, int number, @Nullable String title)
            throws IOException {
        out.begin(kind, number, title);
        isFirst = true;
        width = 0;
        row = 0;
        line.setLength(0);
        notes.setLength(0);
    }

    /** How many columns the sheet says it has; it may be wrong. */
    public void expectColumns(int columns) {
        width = Math.max(0, columns);
    }

    /** Whether the cells of this row are wanted. */
    public boolean isWanted(int rowNumber) {
        return range.containsRow(rowNumber);
    }

    /** Whether this cell is wanted. */
    public boolean isWanted(int columnNumber, int rowNumber) {
        return range.containsRow(rowNumber) && range.containsColumn(columnNumber);
    }

    /** Whether all wanted rows come before this one. */
    public boolean isPast(int rowNumber) {
        return rowNumber > range.lastRow();
    }

    /** The last column that anybody wants to see. */
    public int lastColumn() {
        return range.lastColumn();
    }

    public void beginRow(int rowNumber) {
        row = rowNumber;
        column = range.firstColumn() - 1;
        line.setLength(0);
    }

    /** A cell of the row; columns come in order, those that are left out are empty. */
    public void cell(int columnNumber, String text) throws IOException {
        if (text.isEmpty() || !range.containsColumn(columnNumber) || columnNumber <= column) {
            return;
        }
        if (++cells > out.maxCells()) {
            throw new LimitReachedException(
                    "Only the first " + out.maxCells() + " cells are shown; the rest is missing.");
        }
        int gap = columnNumber - column - 1;
        if (gap > WIDE_GAP) {
            line.append(" | … | ").append(CellRange.columnName(columnNumber)).append(": ");
        } else {
            for (int i = 0; i < gap; i++) {
                line.append(" | ");
            }
            line.append(" | ");
        }
        appendCell(text);
        column = columnNumber;
    }

    public void endRow() throws IOException {
        if (line.isEmpty()) {
            return;
        }
        if (isFirst) {
            columnNames();
        }
        out.append("\n" + row).append(line);
        line.setLength(0);
    }

    /** A remark on the whole sheet, or one that stands after its rows. */
    public void note(String text) throws IOException {
        if (isFirst && out.isEmpty()) {
            out.append("[" + text + "]\n");
        } else {
            notes.append("\n[").append(text).append("]");
        }
    }

    /** Text that stands after the rows. */
    public void after(String text) {
        notes.append('\n').append(text);
    }

    public void end() throws IOException {
        out.append(notes);
        out.end();
    }

    private void columnNames() throws IOException {
        int last = Math.max(column, Math.min(width, range.lastColumn()));
        int shown = Math.min(last, range.firstColumn() + 63);
        StringBuilder names = new StringBuilder(out.isEmpty() ? "row" : "\nrow");
        for (int i = range.firstColumn(); i <= shown; i++) {
            names.append(" | ").append(CellRange.columnName(i));
        }
        out.append(names);
        isFirst = false;
    }

    /** On one line and without the sign between columns. */
    private void appendCell(String text) {
        boolean isPlain = true;
        for (int i = 0; i < text.length() && isPlain; i++) {
            char c = text.charAt(i);
            isPlain = c >= ' ' && c != '|';
        }
        line.append(isPlain ? text : TextBlocks.cell(text));
    }
}
