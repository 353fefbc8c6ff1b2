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
    private final OdfFrame.Objects objects;
    private final OdfFrame frame;

    /** Takes a footnote, and gives the sign that stands for it in the text. */
    interface Notes {
        String footnote(String text) throws IOException;
    }

    OdfText(XmlCursor xml, OdfFrame.Objects objects, Notes notes) {
        this.xml = xml;
        this.objects = objects;
        this.frame = new OdfFrame(objects);
        this.notes = notes;
    }

    /** The text of the element that starts here, up to its end. */
    String read() throws IOException {
        StringBuilder text = new StringBuilder();
        readInto(text);
        appendFrame(text);
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
            } else if (xml.isEnd("frame")) {
                appendFrame(text);
            }
        }
    }

    private void appendFrame(StringBuilder text) throws IOException {
        for (String mark : frame.marks()) {
            text.append(mark.contains("\n") ? "\n" + mark + "\n" : mark);
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
            case "ruby-text", "tracked-changes", "annotation-end", "binary-data" -> xml.skip();
            default -> {
                boolean _ = frame.take(xml); // spans, fields and text boxes only enclose
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
                body = new OdfText(xml, objects, notes).read();
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
                case "p", "h" -> lines.add(new OdfText(xml, objects, notes).read());
                default -> {
                    // lists: only what they enclose counts
                }
            }
        }
        String by = author.isEmpty() ? "" : " by " + author;
        return " [comment" + by + ": " + String.join(" ", lines).strip() + "]";
    }

    private static void newLine(StringBuilder text) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }
}
