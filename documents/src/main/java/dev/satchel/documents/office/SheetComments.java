package dev.satchel.documents.office;

import dev.satchel.documents.reading.RowWriter;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The comments on the cells of a sheet. */
final class SheetComments {
    private SheetComments() {}

    static void write(DocumentZip zip, Relationships related, RowWriter rows) throws IOException {
        String part = related.firstPart("comments");
        Optional<XmlCursor> found = part == null ? Optional.empty() : zip.findXml(part);
        if (found.isEmpty()) {
            return;
        }
        List<String> authors = new ArrayList<>();
        try (XmlCursor xml = found.get()) {
            while (xml.next()) {
                if (xml.isStart("author")) {
                    authors.add(xml.text());
                } else if (xml.isStart("comment")) {
                    String cell = xml.attribute("ref");
                    int author = xml.number("authorId", -1);
                    String by =
                            author >= 0 && author < authors.size()
                                    ? " by " + authors.get(author)
                                    : "";
                    String text = WordNotes.plainText(xml).replace('\n', ' ');
                    rows.note("comment on " + cell + by + ": " + text);
                }
            }
        }
    }
}
