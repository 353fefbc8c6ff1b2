package dev.satchel.documents.markup;

import dev.satchel.documents.reading.Links;
import dev.satchel.documents.reading.TextSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/** Writes what an HTML document says: no scripts, no styles, links with their addresses. */
public final class HtmlText {
    private static final int MAX_DEPTH = 600;
    private static final int MAX_SPAN = 50;
    private static final Set<String> UNSEEN =
            Set.of(
                    "script",
                    "style",
                    "head",
                    "template",
                    "noscript",
                    "svg",
                    "object",
                    "iframe",
                    "canvas",
                    "datalist");

    private final TextSink sink;
    private final StringBuilder inline = new StringBuilder();

    public HtmlText(TextSink sink) {
        this.sink = sink;
    }

    public void write(Element body) throws IOException {
        children(body, 0, -1);
        flush();
    }

    private void children(Element parent, int depth, int list) throws IOException {
        if (depth > MAX_DEPTH) {
            return;
        }
        for (Node node : parent.childNodes()) {
            if (node instanceof TextNode text) {
                append(text.getWholeText());
            } else if (node instanceof Element element) {
                element(element, depth + 1, list);
            }
        }
    }

    private void element(Element element, int depth, int list) throws IOException {
        String name = element.normalName();
        if (UNSEEN.contains(name)) {
            return;
        }
        switch (name) {
            case "h1", "h2", "h3", "h4", "h5", "h6" -> {
                flush();
                children(element, depth, -1);
                sink.heading(name.charAt(1) - '0', take());
            }
            case "br" -> inline.append('\n');
            case "pre" -> {
                flush();
                sink.blocks().paragraph(element.wholeText());
            }
            case "ul", "ol" -> list(element, depth, list + 1);
            case "table" -> table(element);
            case "a" -> link(element, depth, list);
            case "img" -> picture(element);
            default -> {
                boolean isBlock = element.isBlock();
                if (isBlock) {
                    flush();
                }
                children(element, depth, list);
                if (isBlock) {
                    flush();
                }
            }
        }
    }

    private void list(Element list, int depth, int level) throws IOException {
        flush();
        if (level == 0) {
            sink.blocks().close();
        }
        int number = 0;
        for (Element item : list.children()) {
            if (!item.normalName().equals("li")) {
                element(item, depth + 1, level);
                continue;
            }
            number++;
            HtmlText inner = new HtmlText(sink);
            String marker = list.normalName().equals("ol") ? number + "." : "-";
            inner.item(item, depth + 1, level, marker);
        }
        flush();
    }

    /** The text of an item before the first list in it, then these lists. */
    private void item(Element item, int depth, int level, String marker) throws IOException {
        String next = marker;
        for (Node node : item.childNodes()) {
            if (node instanceof Element element
                    && (element.normalName().equals("ul") || element.normalName().equals("ol"))) {
                sink.blocks().item(level, next, take());
                next = " ";
                if (depth <= MAX_DEPTH) {
                    list(element, depth, level + 1);
                }
            } else if (node instanceof Element element) {
                if (!UNSEEN.contains(element.normalName())) {
                    append(element.text() + " ");
                    append(addresses(element));
                }
            } else if (node instanceof TextNode text) {
                append(text.getWholeText());
            }
        }
        sink.blocks().item(level, next, take());
    }

    private static String addresses(Element element) {
        StringBuilder addresses = new StringBuilder();
        for (Element link : element.select("a[href]")) {
            if (isAddress(link.attr("href"))) {
                addresses.append("(").append(link.attr("href")).append(") ");
            }
        }
        return addresses.toString();
    }

    private void table(Element table) throws IOException {
        flush();
        sink.blocks().close();
        for (Element row : table.select("tr")) {
            if (!table.equals(row.closest("table"))) {
                continue; // the text of a table in a cell is the text of this cell
            }
            List<String> cells = new ArrayList<>();
            for (Element cell : row.children()) {
                cells.add(cell.text());
                for (int i = 1; i < span(cell); i++) {
                    cells.add("");
                }
            }
            sink.blocks().row(cells);
        }
        sink.blocks().close();
    }

    private static int span(Element cell) {
        String span = cell.attr("colspan");
        return span.matches("\\d{1,4}") ? Math.min(Integer.parseInt(span), MAX_SPAN) : 1;
    }

    private void link(Element link, int depth, int list) throws IOException {
        int start = inline.length();
        children(link, depth, list);
        String address = link.attr("href").strip();
        if (isAddress(address) && inline.length() >= start) {
            String shown = inline.substring(start);
            inline.setLength(start);
            inline.append(Links.format(shown, address));
        }
    }

    private static boolean isAddress(String address) {
        String lower = address.strip().toLowerCase(Locale.ROOT);
        return !lower.isEmpty()
                && !lower.startsWith("#")
                && !lower.startsWith("javascript:")
                && !lower.startsWith("data:");
    }

    private void picture(Element image) {
        String description = image.attr("alt").strip();
        if (!description.isEmpty()) {
            inline.append("[picture: ").append(description).append("]");
        }
    }

    /** White space of the file means one space. */
    private void append(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isSpace = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f';
            if (!isSpace) {
                inline.append(c);
            } else if (!inline.isEmpty() && !endsWithSpace()) {
                inline.append(' ');
            }
        }
    }

    private boolean endsWithSpace() {
        char last = inline.charAt(inline.length() - 1);
        return last == ' ' || last == '\n';
    }

    private void flush() throws IOException {
        String text = take();
        if (!text.isBlank()) {
            sink.blocks().paragraph(text);
        }
    }

    private String take() {
        String text = inline.toString().strip();
        inline.setLength(0);
        return text;
    }
}
