package dev.satchel.documents.office;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.SectionWriter;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.Relationships.Relationship;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Text of docx: a section for each heading of the first level. */
public final class WordReader implements DocumentReader {
    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            String main = OfficePackage.mainPart(zip, "word/document.xml");
            Relationships related = Relationships.of(zip, main);
            out.header(DocumentFormat.DOCX, null, OfficePackage.title(zip));
            SectionWriter sections = new SectionWriter(out, DocumentPart.Kind.SECTION);
            margins(zip, related, "header", sections);
            WordContext context =
                    WordContext.read(zip, related, new EmbeddedPictures(zip, request, out));
            try (XmlCursor xml = zip.openXml(main)) {
                new WordBody(xml, context, sections).read();
            }
            margins(zip, related, "footer", sections);
            sections.end();
        }
    }

    /** What the edges of all pages say, each text once. */
    private static void margins(
            DocumentZip zip, Relationships related, String type, SectionWriter sections)
            throws IOException {
        Set<String> texts = new LinkedHashSet<>();
        for (Relationship relationship : related.all()) {
            if (!relationship.type().equals(type)) {
                continue;
            }
            Optional<XmlCursor> found = zip.findXml(relationship.target());
            if (found.isPresent()) {
                try (XmlCursor xml = found.get()) {
                    xml.next();
                    texts.add(WordNotes.plainText(xml));
                }
            }
        }
        for (String text : texts) {
            if (!text.isBlank()) {
                sections.blocks().paragraph("[" + type + ": " + text + "]");
            }
        }
    }
}
