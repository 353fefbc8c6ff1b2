package dev.satchel.documents.office;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a workbook, which its cells name by number. They are kept in one block of memory.
 */
final class SharedStrings {
    private static final int MAX_CHARS = 256 * 1024 * 1024;

    private final StringBuilder text = new StringBuilder();
    private int[] ends = new int[1024];
    private int count;

    static SharedStrings read(DocumentZip zip, @Nullable String part) throws IOException {
        SharedStrings strings = new SharedStrings();
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                strings.read(xml);
            }
        }
        return strings;
    }

    String get(int index) {
        if (index < 0 || index >= count) {
            return "";
        }
        return text.substring(index == 0 ? 0 : ends[index - 1], ends[index]);
    }

    private void read(XmlCursor xml) throws IOException {
        StringBuilder item = new StringBuilder();
        boolean isText = false;
        while (xml.next()) {
            if (xml.isText()) {
                if (isText) {
                    xml.appendTo(item);
                }
                continue;
            }
            switch (xml.name()) {
                case "t" -> isText = xml.isStart();
                case "rPh" -> {
                    if (xml.isStart()) {
                        xml.skip(); // how the text is pronounced
                    }
                }
                case "si" -> {
                    if (xml.isEnd()) {
                        add(item);
                        item.setLength(0);
                    }
                }
                default -> {
                    // runs with a look of their own
                }
            }
        }
    }

    private void add(StringBuilder item) throws DocumentException {
        if (text.length() + (long) item.length() > MAX_CHARS) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The workbook has more than " + MAX_CHARS + " characters, which is the limit.");
        }
        text.append(item);
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
        }
        ends[count++] = text.length();
    }
}
