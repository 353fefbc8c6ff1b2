package dev.satchel.documents.opendocument;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.OnePartSink;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextBlocks;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.nio.file.Path;

/** Text of odp: a part for each slide. */
public final class OdfSlideReader implements DocumentReader {
    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            OdfPackage.refuseEncrypted(zip);
            out.header(DocumentFormat.ODP, count(zip), OdfPackage.title(zip));
            OdfFrame.Objects objects =
                    new OdfFrame.Objects(zip, new EmbeddedPictures(zip, request, out));
            OdfStyles styles = new OdfStyles();
            int number = 0;
            try (XmlCursor xml = zip.openXml("content.xml")) {
                while (xml.next() && !out.isPast(number)) {
                    if (xml.isStart("automatic-styles")) {
                        styles.read(xml);
                    } else if (xml.isStart("page")) {
                        slide(xml, objects, styles, ++number, out);
                    }
                }
            }
        }
    }

    private static int count(DocumentZip zip) throws IOException {
        int slides = 0;
        try (XmlCursor xml = zip.openXml("content.xml")) {
            while (xml.next()) {
                if (xml.isStart("page")) {
                    slides++;
                }
            }
        }
        return slides;
    }

    private static void slide(
            XmlCursor xml, OdfFrame.Objects objects, OdfStyles styles, int number, PartWriter out)
            throws IOException {
        out.begin(DocumentPart.Kind.SLIDE, number, xml.attribute("name"));
        TextBlocks blocks = new TextBlocks(out);
        OdfBody body = new OdfBody(xml, objects, styles, new OnePartSink(blocks));
        int inside = xml.depth();
        boolean isTitle = false;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isEnd("frame")) {
                body.endFrame();
            }
            if (!xml.isStart()) {
                continue;
            }
            if (xml.name().equals("notes")) {
                notes(xml, body, blocks);
            } else if (xml.name().equals("frame")) {
                isTitle = "title".equals(xml.attribute("class"));
            } else if (isTitle && xml.name().equals("text-box")) {
                blocks.heading(1, new OdfText(xml, objects, note -> " (" + note + ")").read());
            } else {
                body.read();
            }
        }
        out.end();
    }

    private static void notes(XmlCursor xml, OdfBody body, TextBlocks blocks) throws IOException {
        int inside = xml.depth();
        boolean isMarked = false;
        while (xml.next() && xml.depth() >= inside) {
            if (xml.isStart("page-thumbnail")) {
                xml.skip();
            } else if (xml.isStart("text-box")) {
                if (!isMarked) {
                    blocks.paragraph("[notes]");
                    isMarked = true;
                }
            } else if (xml.isEnd("frame")) {
                body.endFrame();
            } else if (xml.isStart()) {
                body.read();
            }
        }
    }
}
