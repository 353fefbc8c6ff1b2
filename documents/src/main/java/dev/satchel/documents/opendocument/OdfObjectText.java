package dev.satchel.documents.opendocument;

import dev.satchel.documents.reading.TextBlocks;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of a document inside another one, nearly always a chart: its titles, and its values as a
 * table.
 */
final class OdfObjectText {
    private static final int MAX_ROWS = 2_000;
    private static final int MAX_CELLS = 100;

    private final XmlCursor xml;
    private final List<String> titles = new ArrayList<>();
    private final StringBuilder table = new StringBuilder();
    private boolean isChart;
    private int rows;

    private OdfObjectText(XmlCursor xml) {
        this.xml = xml;
    }

    static String read(XmlCursor xml, String part, String description) throws IOException {
        OdfObjectText object = new OdfObjectText(xml);
        if (!description.isEmpty()) {
            object.titles.add(TextBlocks.cell(description));
        }
        object.read();
        String mark = object.isChart ? "[chart" : "[object " + part;
        return mark
                + (object.titles.isEmpty() ? "]" : ": " + String.join("; ", object.titles) + "]")
                + object.table;
    }

    private void read() throws IOException {
        while (xml.next()) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "chart" -> isChart = true;
                case "p" -> title(xml.text());
                case "table-row" -> row();
                default -> {
                    // how it looks
                }
            }
        }
        if (rows > MAX_ROWS) {
            table.append("\n[the rest of the ").append(rows).append(" rows is not shown]");
        }
    }

    private void title(String text) {
        if (!text.isBlank() && titles.size() < MAX_CELLS) {
            titles.add(TextBlocks.cell(text));
        }
    }

    private void row() throws IOException {
        int inside = xml.depth();
        StringBuilder row = new StringBuilder("\n|");
        int cells = 0;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("table-cell") && ++cells <= MAX_CELLS) {
                row.append(' ').append(TextBlocks.cell(xml.text())).append(" |");
            }
        }
        if (++rows <= MAX_ROWS) {
            table.append(row).append(cells > MAX_CELLS ? " …" : "");
        }
    }
}
