package dev.satchel.documents.opendocument;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.SectionWriter;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Text of odt: a section for each heading of the first level. */
public final class OdfTextReader implements DocumentReader {
    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            OdfPackage.refuseEncrypted(zip);
            out.header(DocumentFormat.ODT, null, OdfPackage.title(zip));
            OdfFrame.Objects objects =
                    new OdfFrame.Objects(zip, new EmbeddedPictures(zip, request, out));
            SectionWriter sections = new SectionWriter(out, DocumentPart.Kind.SECTION);
            margins(objects, "header", sections);
            try (XmlCursor xml = zip.openXml("content.xml")) {
                body(xml, objects, sections);
            }
            margins(objects, "footer", sections);
            sections.end();
        }
    }

    private static void body(XmlCursor xml, OdfFrame.Objects objects, SectionWriter sections)
            throws IOException {
        OdfStyles styles = new OdfStyles();
        OdfBody body = new OdfBody(xml, objects, styles, sections);
        while (xml.next() && !sections.isDone()) {
            if (xml.isStart("automatic-styles")) {
                styles.read(xml);
            } else if (xml.isStart()) {
                body.read();
            } else if (xml.isEnd("frame")) {
                body.endFrame();
            }
        }
    }

    /** Headers or footers of all page styles, each text once. */
    private static void margins(OdfFrame.Objects objects, String kind, SectionWriter sections)
            throws IOException {
        Optional<XmlCursor> found = objects.zip().findXml("styles.xml");
        if (found.isEmpty()) {
            return;
        }
        Set<String> texts = new LinkedHashSet<>();
        try (XmlCursor xml = found.get()) {
            while (xml.next()) {
                if (xml.isStart() && xml.name().matches(kind + "(-left|-first)?")) {
                    texts.add(new OdfText(xml, objects, _ -> "").read());
                }
            }
        }
        for (String text : texts) {
            if (!text.isBlank()) {
                sections.blocks().paragraph("[" + kind + ": " + text + "]");
            }
        }
    }
}
