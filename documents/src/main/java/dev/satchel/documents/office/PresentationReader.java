package dev.satchel.documents.office;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextBlocks;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.Relationships.Relationship;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Text of pptx: a part for each slide, in the order of the presentation. */
public final class PresentationReader implements DocumentReader {
    private static final int MAX_SLIDES = 50_000;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.open(file, request.limits().unpacking())) {
            String main = OfficePackage.mainPart(zip, "ppt/presentation.xml");
            List<String> slides = slides(zip, main);
            EmbeddedPictures pictures = new EmbeddedPictures(zip, request, out);
            out.header(DocumentFormat.PPTX, slides.size(), OfficePackage.title(zip));
            for (int i = 0; i < slides.size() && !out.isPast(i + 1); i++) {
                if (out.isWanted(i + 1)) {
                    slide(zip, pictures, slides.get(i), i + 1, out);
                }
            }
        }
    }

    private static List<String> slides(DocumentZip zip, String main) throws IOException {
        Relationships related = Relationships.of(zip, main);
        List<String> slides = new ArrayList<>();
        try (XmlCursor xml = zip.openXml(main)) {
            while (xml.next()) {
                if (xml.isStart("sldId")) {
                    if (slides.size() == MAX_SLIDES) {
                        throw new DocumentException(
                                Failure.Code.TOO_LARGE,
                                "The presentation has more than %d slides, which is the limit."
                                        .formatted(MAX_SLIDES));
                    }
                    Relationship target = related.find(xml.relationship("id"));
                    if (target != null && !target.isExternal()) {
                        slides.add(target.target());
                    }
                }
            }
        }
        return slides;
    }

    private static void slide(
            DocumentZip zip, EmbeddedPictures pictures, String part, int number, PartWriter out)
            throws IOException {
        Relationships related = Relationships.of(zip, part);
        SlideText slide = new SlideText();
        try (XmlCursor xml = zip.openXml(part)) {
            Drawing.Context context = new Drawing.Context(zip, related, pictures);
            new SlideParser(xml, context).readInto(slide);
        }
        out.begin(DocumentPart.Kind.SLIDE, number, slide.title());
        TextBlocks blocks = new TextBlocks(out);
        slide.writeTo(blocks);
        for (Relationship relationship : related.all()) {
            switch (relationship.type()) {
                case "diagramData" -> marked(zip, relationship.target(), "diagram", blocks);
                case "notesSlide" -> notes(zip, pictures, relationship.target(), blocks);
                case "comments" -> marked(zip, relationship.target(), "comments", blocks);
                default -> {
                    // layouts, pictures and links
                }
            }
        }
        out.end();
    }

    private static void notes(
            DocumentZip zip, EmbeddedPictures pictures, String part, TextBlocks blocks)
            throws IOException {
        Optional<XmlCursor> found = zip.findXml(part);
        if (found.isPresent()) {
            SlideText notes = new SlideText();
            try (XmlCursor xml = found.get()) {
                Drawing.Context context =
                        new Drawing.Context(zip, Relationships.of(zip, part), pictures);
                new SlideParser(xml, context).readInto(notes);
            }
            if (!notes.isEmpty()) {
                blocks.paragraph("[notes]");
                notes.writeTo(blocks);
            }
        }
    }

    /** Another part with text, whose order is that of the file. */
    private static void marked(DocumentZip zip, String part, String mark, TextBlocks blocks)
            throws IOException {
        Optional<XmlCursor> found = zip.findXml(part);
        if (found.isPresent()) {
            try (XmlCursor xml = found.get()) {
                String text = texts(xml);
                if (!text.isBlank()) {
                    blocks.paragraph("[" + mark + "]\n" + text);
                }
            }
        }
    }

    private static String texts(XmlCursor xml) throws IOException {
        StringBuilder texts = new StringBuilder();
        boolean isText = false;
        while (xml.next()) {
            if (xml.isText()) {
                if (isText) {
                    xml.appendTo(texts);
                }
            } else if (xml.name().equals("t") || xml.name().equals("text")) {
                isText = xml.isStart();
            } else if (xml.isEnd("p") || xml.isEnd("cm")) {
                texts.append('\n');
            }
        }
        return texts.toString().replaceAll("\\n\\s*\\n", "\n").strip();
    }
}
