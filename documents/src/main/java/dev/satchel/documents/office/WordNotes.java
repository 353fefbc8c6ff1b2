package dev.satchel.documents.office;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Footnotes, endnotes or comments: short texts that stand apart from the document. */
final class WordNotes {
    private static final long MAX_CHARS = 32L * 1024 * 1024;

    private final Map<String, String> texts = new HashMap<>();
    private long chars;

    /**
     * Reads a part with notes.
     *
     * @param element what encloses one of them, such as {@code footnote}
     */
    static WordNotes read(DocumentZip zip, @Nullable String part, String element)
            throws IOException {
        WordNotes notes = new WordNotes();
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                while (xml.next()) {
                    if (xml.isStart(element)) {
                        notes.add(xml);
                    }
                }
            }
        }
        return notes;
    }

    /** The text of a note; empty if there is none with this id. */
    String text(@Nullable String id) {
        return id == null ? "" : texts.getOrDefault(id, "");
    }

    private void add(XmlCursor xml) throws IOException {
        String id = xml.attribute("id");
        String author = xml.attribute("author");
        String type = xml.attribute("type");
        String text = plainText(xml);
        if (id == null || (type != null && type.endsWith("eparator"))) {
            return;
        }
        chars += text.length();
        if (chars > MAX_CHARS) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The notes of the document have more than "
                            + MAX_CHARS
                            + " characters, which is the limit.");
        }
        texts.put(id, author == null || author.isBlank() ? text : author + ": " + text);
    }

    /** The paragraphs of the element that starts here, each on its line. */
    static String plainText(XmlCursor xml) throws IOException {
        StringBuilder text = new StringBuilder();
        int inside = xml.depth();
        boolean isText = false;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isText()) {
                if (isText) {
                    xml.appendTo(text);
                }
                continue;
            }
            switch (xml.name()) {
                case "t" -> isText = xml.isStart();
                case "p" -> newLine(text, xml.isEnd());
                case "tab" -> text.append(xml.isStart() ? "\t" : "");
                case "br" -> newLine(text, xml.isStart());
                case "del", "moveFrom", "Fallback" -> {
                    if (xml.isStart()) {
                        xml.skip();
                    }
                }
                default -> {
                    // everything else only encloses text
                }
            }
        }
        return text.toString().strip();
    }

    private static void newLine(StringBuilder text, boolean wanted) {
        if (wanted && !text.isEmpty()) {
            text.append('\n');
        }
    }
}
