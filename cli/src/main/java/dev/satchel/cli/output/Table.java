package dev.satchel.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Formats rows as columns. An empty table has no header. */
public final class Table<T> {
    private final List<String> names = new ArrayList<>();
    private final List<Function<T, String>> columns = new ArrayList<>();

    public Table<T> column(String name, Function<T, String> content) {
        names.add(name);
        columns.add(content);
        return this;
    }

    List<String> lines(List<T> values) {
        if (values.isEmpty()) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(names);
        for (T value : values) {
            rows.add(columns.stream().map(column -> plain(column.apply(value))).toList());
        }
        int[] widths =
                IntStream.range(0, names.size())
                        .map(i -> rows.stream().mapToInt(row -> width(row.get(i))).max().orElse(0))
                        .toArray();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i));
            line.repeat(' ', widths[i] - width(row.get(i)) + 2);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Replaces control characters, so that no name from the server moves the cursor. */
    public static String plain(String text) {
        return text.codePoints()
                .map(point -> Character.isISOControl(point) ? ' ' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
