package dev.satchel.documents.opendocument;

import dev.satchel.documents.reading.Links;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads one paragraph or one cell: text with links, notes, comments and text boxes in it. */
final class OdfText {
    private static final int MAX_SPACES = 1000;

    private final XmlCursor xml;
    private final Notes notes;

    /** Takes a footnote, and gives the sign that stands for it in the text. */
    interface Notes {
        String footnote(String text) throws IOException;
    }

    OdfText(XmlCursor xml, Notes notes) {
        this.xml = xml;
        this.notes = notes;
    }

    /** The text of the element that starts here, up to its end. */
    String read() throws IOException {
        StringBuilder text = new StringBuilder();
        readInto(text);
        return text.toString().strip();
    }

    private void readInto(StringBuilder text) throws IOException {
        int inside = xml.depth();
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isText()) {
                appendCollapsed(text);
            } else if (xml.isStart()) {
                element(text);
            } else if (xml.isEnd("p") || xml.isEnd("h")) {
                text.append('\n');
            }
        }
    }

    private void element(StringBuilder text) throws IOException {
        switch (xml.name()) {
            case "s" -> text.append(" ".repeat(Math.clamp(xml.number("c", 1), 1, MAX_SPACES)));
            case "tab" -> text.append('\t');
            case "line-break" -> text.append('\n');
            case "a" -> link(text);
            case "note" -> text.append(notes.footnote(note()));
            case "annotation" -> text.append(comment());
            case "frame" -> newLine(text);
            case "title", "desc" -> description(text);
            case "ruby-text", "tracked-changes", "annotation-end", "binary-data" -> xml.skip();
            default -> {
                // spans, fields and frames: only what they enclose counts
            }
        }
    }

    /** Line feeds and spaces of the file mean one space. */
    private void appendCollapsed(StringBuilder text) throws IOException {
        int start = text.length();
        xml.appendTo(text);
        int end = start;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            boolean isRepeated = isSpace && end > 0 && text.charAt(end - 1) == ' ';
            if (!isRepeated) {
                text.setCharAt(end++, isSpace ? ' ' : c);
            }
        }
        text.setLength(end);
    }

    private void link(StringBuilder text) throws IOException {
        String address = xml.attribute("href");
        int start = text.length();
        readInto(text);
        if (address != null && !address.startsWith("#")) {
            String shown = text.substring(start);
            text.setLength(start);
            text.append(Links.format(shown, address));
        }
    }

    private String note() throws IOException {
        int inside = xml.depth();
        String body = "";
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("note-body")) {
                body = new OdfText(xml, notes).read();
            } else if (xml.isStart("note-citation")) {
                xml.skip();
            }
        }
        return body;
    }

    /** A comment with its author. */
    String comment() throws IOException {
        int inside = xml.depth();
        String author = "";
        List<String> lines = new ArrayList<>();
        while (xml.next() && xml.depth() >= inside) {
            if (!xml.isStart()) {
                continue;
            }
            switch (xml.name()) {
                case "creator" -> author = xml.text().strip();
                case "date", "date-string", "creator-initials" -> xml.skip();
                case "p", "h" -> lines.add(new OdfText(xml, notes).read());
                default -> {
                    // lists: only what they enclose counts
                }
            }
        }
        String by = author.isEmpty() ? "" : " by " + author;
        return " [comment" + by + ": " + String.join(" ", lines).strip() + "]";
    }

    private void description(StringBuilder text) throws IOException {
        String description = xml.text().strip();
        if (!description.isEmpty()) {
            text.append("[picture: ").append(description).append("]");
        }
    }

    private static void newLine(StringBuilder text) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }
}
