package dev.satchel.documents.embedded;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the titles, categories and values of a chart of Office. The values are those that the
 * document stores beside the formulas.
 */
public final class ChartReader {
    private static final int MAX_POINTS = 20_000;

    private final XmlCursor xml;
    private final Chart chart = new Chart();
    private int points;

    private ChartReader(XmlCursor xml) {
        this.xml = xml;
    }

    /**
     * The text of a chart, empty if it is missing. A damaged one does not take the document with
     * it.
     *
     * @param description what the document says that it shows
     */
    public static String read(DocumentZip zip, String part, @Nullable String description)
            throws IOException {
        Optional<XmlCursor> found = zip.findXml(part);
        if (found.isEmpty()) {
            return "";
        }
        try (XmlCursor xml = found.get()) {
            ChartReader reader = new ChartReader(xml);
            if (description != null) {
                reader.chart.title(description);
            }
            reader.read();
            return reader.chart.text();
        } catch (DocumentException e) {
            if (e.code() == Failure.Code.BROKEN) {
                return "[chart " + part + ": it is damaged]";
            }
            throw e;
        }
    }

    private void read() throws IOException {
        while (xml.next()) {
            if (xml.isStart("title")) {
                chart.title(texts());
            } else if (xml.isStart("ser")) {
                series();
            } else if (xml.isStart("data") || xml.isStart("series")) {
                newSeries();
            }
        }
    }

    /** The texts of the element that starts here, each paragraph and each point once. */
    private String texts() throws IOException {
        List<String> texts = new ArrayList<>();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("t") || xml.isStart("v")) {
                texts.add(xml.text());
            }
        }
        return String.join(" ", texts).strip();
    }

    private void series() throws IOException {
        Chart.Series series = new Chart.Series();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "tx" -> series.name = texts();
                case "cat", "xVal" -> points(series.categories);
                case "val", "yVal" -> points(series.values);
                case "bubbleSize", "dLbls", "extLst" -> xml.skip();
                default -> {
                    // how it looks
                }
            }
        }
        chart.add(series);
    }

    /** Charts since Office 2016 have their points before their series. */
    private void newSeries() throws IOException {
        if (xml.name().equals("series")) {
            chart.title(texts());
            return;
        }
        Chart.Series series = new Chart.Series();
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("strDim")) {
                points(series.categories);
            } else if (xml.isStart("numDim")) {
                points(series.values);
            }
        }
        chart.add(series);
    }

    /** The points of the element that starts here. Categories of several levels are joined. */
    private void points(Map<Integer, String> into) throws IOException {
        int inside = xml.depth();
        int last = -1;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("lvl")) {
                last = -1;
            } else if (xml.isStart("pt")) {
                last = xml.number("idx", last + 1);
                String value = xml.text().strip();
                if (++points <= MAX_POINTS) {
                    into.merge(last, value, (inner, outer) -> outer + " " + inner);
                } else {
                    chart.cut();
                }
            }
        }
    }
}
