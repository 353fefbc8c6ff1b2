package dev.satchel.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The results as a Markdown table that reads as plain text too. */
public final class ResultTable {
    private static final List<String> HEAD =
            List.of("figure", "ours", "anchor", "ratio", "bar", "verdict");

    private ResultTable() {}

    public static String of(List<Result> results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        results.forEach(result -> rows.add(cells(result)));
        List<Integer> widths =
                IntStream.range(0, HEAD.size()).map(column -> width(rows, column)).boxed().toList();
        rows.add(1, widths.stream().map("-"::repeat).toList());
        String notes =
                results.stream()
                        .filter(result -> !result.note().isEmpty())
                        .map(result -> "- " + result.figure() + ": " + result.note() + "\n")
                        .collect(Collectors.joining());
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining())
                + "\nThe median of the rounds; in brackets the lowest and the highest.\n"
                + (notes.isEmpty() ? "" : "\n" + notes);
    }

    private static List<String> cells(Result result) {
        RoundValues ours = result.ours();
        Anchor anchor = result.anchor();
        return List.of(
                result.figure(),
                ours == null ? "–" : ours.show(),
                anchor == null ? "–" : anchor.show(),
                result.ratio().isEmpty() ? "–" : ratio(result.ratio().getAsDouble()),
                result.bar().show(),
                result.verdict().words());
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String line(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(i -> row.get(i) + " ".repeat(widths.get(i) - row.get(i).length()))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
