package dev.satchel.documents.reading;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cells of a sheet, rows and columns from 1 on, both ends included. */
public record CellRange(int firstRow, int firstColumn, int lastRow, int lastColumn) {
    public static final CellRange ALL = new CellRange(1, 1, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private static final Pattern REFERENCE = Pattern.compile("\\$?([A-Z]{1,3})?\\$?(\\d{1,9})?");

    public CellRange {
        if (firstRow < 1 || firstColumn < 1 || lastRow < firstRow || lastColumn < firstColumn) {
            throw new IllegalArgumentException("a range such as A1:F200 ends after it begins");
        }
    }

    /** Parses {@code B2}, {@code A1:F200}, {@code A:F} (whole columns) and {@code 1:200} (rows). */
    public static CellRange parse(String text) {
        String upper = text.strip().toUpperCase(Locale.ROOT);
        int colon = upper.indexOf(':');
        Matcher from = corner(text, colon < 0 ? upper : upper.substring(0, colon));
        Matcher to = corner(text, colon < 0 ? upper : upper.substring(colon + 1));
        int row = row(from, 1);
        int column = column(from, 1);
        int otherRow = row(to, Integer.MAX_VALUE);
        int otherColumn = column(to, Integer.MAX_VALUE);
        return new CellRange(
                Math.min(row, otherRow),
                Math.min(column, otherColumn),
                Math.max(row, otherRow),
                Math.max(column, otherColumn));
    }

    public boolean containsRow(int row) {
        return row >= firstRow && row <= lastRow;
    }

    public boolean containsColumn(int column) {
        return column >= firstColumn && column <= lastColumn;
    }

    /** The letters of a column: 1 is A, 27 is AA. */
    public static String columnName(int column) {
        StringBuilder name = new StringBuilder();
        for (int rest = column; rest > 0; rest = (rest - 1) / 26) {
            name.append((char) ('A' + (rest - 1) % 26));
        }
        return name.reverse().toString();
    }

    /** The number of the column that a reference such as {@code AB12} begins with; 0 if none. */
    public static int columnNumber(CharSequence reference) {
        int column = 0;
        for (int i = 0; i < reference.length() && i < 4; i++) {
            char c = reference.charAt(i);
            if (c < 'A' || c > 'Z') {
                break;
            }
            column = column * 26 + (c - 'A' + 1);
        }
        return column;
    }

    private static Matcher corner(String text, String corner) {
        Matcher matcher = REFERENCE.matcher(corner);
        if (corner.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException("a range is written as A1:F200, this is " + text);
        }
        return matcher;
    }

    private static int row(Matcher corner, int open) {
        String row = corner.group(2);
        return row == null ? open : Math.max(1, Integer.parseInt(row));
    }

    private static int column(Matcher corner, int open) {
        String column = corner.group(1);
        return column == null ? open : columnNumber(column);
    }
}
