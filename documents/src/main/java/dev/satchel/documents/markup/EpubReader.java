package dev.satchel.documents.markup;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.OnePartSink;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextBlocks;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** Text of EPUB: a chapter for each file of its spine. */
public final class EpubReader implements DocumentReader {
    private static final int LONGEST_TITLE = 200;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            if (zip.has("META-INF/rights.xml")) {
                throw new DocumentException(
                        Failure.Code.ENCRYPTED,
                        "The book is protected by digital rights management.");
            }
            EpubPackage book = EpubPackage.read(zip, packageFile(zip));
            List<String> chapters = book.chapters();
            out.header(DocumentFormat.EPUB, chapters.size(), book.title());
            for (int i = 0; i < chapters.size() && !out.isPast(i + 1); i++) {
                if (out.isWanted(i + 1)) {
                    chapter(zip, chapters.get(i), i + 1, book, out);
                }
            }
        }
    }

    private static String packageFile(DocumentZip zip) throws IOException {
        try (XmlCursor xml = zip.openXml("META-INF/container.xml")) {
            while (xml.next()) {
                String path = xml.isStart("rootfile") ? xml.attribute("full-path") : null;
                if (path != null) {
                    return path;
                }
            }
        }
        throw new DocumentException(Failure.Code.BROKEN, "The book does not name its contents.");
    }

    private static void chapter(
            DocumentZip zip, String name, int number, EpubPackage book, PartWriter out)
            throws IOException {
        try (InputStream in = zip.find(name)) {
            if (in == null) {
                out.begin(DocumentPart.Kind.CHAPTER, number, book.titleOf(name));
                out.append("[This chapter is missing from the file.]");
                out.end();
                return;
            }
            Document html = HtmlReader.parse(in);
            out.begin(DocumentPart.Kind.CHAPTER, number, title(html, book.titleOf(name)));
            new HtmlText(new OnePartSink(new TextBlocks(out))).write(html.body());
            out.end();
        }
    }

    private static @Nullable String title(Document html, @Nullable String known) {
        if (known != null) {
            return known;
        }
        Element heading = html.selectFirst("h1, h2, h3");
        String title = heading == null ? html.title() : heading.text();
        return title.length() > LONGEST_TITLE ? title.substring(0, LONGEST_TITLE) : title;
    }
}
