package dev.satchel.documents.markup;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.SectionWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/** Text of HTML: a section for each heading of the first level. */
public final class HtmlReader implements DocumentReader {
    private static final int MAX_BYTES = 32 * 1024 * 1024;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        Document html;
        try (InputStream in = Files.newInputStream(file)) {
            html = parse(in);
        }
        out.header(DocumentFormat.HTML, null, html.title());
        SectionWriter sections = new SectionWriter(out, DocumentPart.Kind.SECTION);
        new HtmlText(sections).write(html.body());
        sections.end();
    }

    /** Parses HTML of bounded size. The encoding is what the document says. */
    static Document parse(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The HTML has more than " + MAX_BYTES + " bytes, which is the limit.");
        }
        return Jsoup.parse(new ByteArrayInputStream(bytes), null, "");
    }
}
