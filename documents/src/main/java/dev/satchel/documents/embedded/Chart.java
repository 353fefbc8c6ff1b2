package dev.satchel.documents.embedded;

import dev.satchel.documents.reading.TextBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What a chart says: its titles, and its values as a table with a row for each category. A series
 * whose categories are not those of the first one has a table of its own.
 */
final class Chart {
    private final List<String> titles = new ArrayList<>();
    private final List<Series> all = new ArrayList<>();
    private boolean isCut;

    /** Points by their place. */
    static final class Series {
        String name = "";
        final TreeMap<Integer, String> categories = new TreeMap<>();
        final TreeMap<Integer, String> values = new TreeMap<>();
    }

    void title(String title) {
        if (!title.isBlank()) {
            titles.add(TextBlocks.cell(title));
        }
    }

    void add(Series series) {
        all.add(series);
    }

    /** Some of its points are left out. */
    void cut() {
        isCut = true;
    }

    /** A line with the titles, and the tables below it. */
    String text() {
        StringBuilder text = new StringBuilder("[chart");
        text.append(titles.isEmpty() ? "]" : ": " + String.join("; ", titles) + "]");
        List<Series> rest = new ArrayList<>(all);
        while (!rest.isEmpty()) {
            List<Series> together = sameCategories(rest);
            rest.removeAll(together);
            table(together, text);
        }
        if (isCut) {
            text.append("\n[the rest of the points of this chart is not shown]");
        }
        return text.toString();
    }

    private static List<Series> sameCategories(List<Series> some) {
        Series first = some.getFirst();
        return some.stream().filter(each -> each.categories.equals(first.categories)).toList();
    }

    private static void table(List<Series> some, StringBuilder text) {
        text.append("\n|  |");
        some.forEach(series -> text.append(' ').append(TextBlocks.cell(series.name)).append(" |"));
        TreeMap<Integer, String> rows = new TreeMap<>(some.getFirst().categories);
        some.forEach(series -> series.values.keySet().forEach(at -> rows.putIfAbsent(at, "")));
        rows.forEach(
                (at, category) -> {
                    text.append("\n| ").append(TextBlocks.cell(category)).append(" |");
                    for (Series series : some) {
                        String value = series.values.getOrDefault(at, "");
                        text.append(' ').append(TextBlocks.cell(value)).append(" |");
                    }
                });
    }
}
