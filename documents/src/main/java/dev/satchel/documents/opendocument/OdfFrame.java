package dev.satchel.documents.opendocument;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects what the frame of an OpenDocument file shows: a picture, a chart, a description. */
final class OdfFrame {
    private final Objects objects;
    private final List<String> descriptions = new ArrayList<>();
    private @Nullable String picture;
    private @Nullable String object;

    /** Where the pictures and charts of a document are. */
    record Objects(DocumentZip zip, EmbeddedPictures pictures) {}

    OdfFrame(Objects objects) {
        this.objects = objects;
    }

    /** Takes the element that starts here; gives whether it belongs to a frame. */
    boolean take(XmlCursor xml) throws IOException {
        switch (xml.name()) {
            case "image" -> picture = picture == null ? part(xml) : picture;
            case "object", "object-ole" -> object = object == null ? part(xml) : object;
            case "title", "desc" -> {
                String description = xml.text().strip();
                if (!description.isEmpty()) {
                    descriptions.add(description);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** What is to be shown, and nothing of it again. A chart also has a picture of itself. */
    List<String> marks() throws IOException {
        String description = String.join("; ", descriptions);
        List<String> marks = new ArrayList<>();
        if (object != null) {
            marks.add(object(object, description));
        } else if (picture != null) {
            marks.add(objects.pictures().mark(picture, description));
        } else if (!description.isEmpty()) {
            marks.add(objects.pictures().mark(null, description));
        }
        descriptions.clear();
        picture = null;
        object = null;
        return marks;
    }

    private static @Nullable String part(XmlCursor xml) {
        String address = xml.attribute("href");
        if (address == null || address.contains("://")) {
            return address;
        }
        String part = Relationships.resolve("", address);
        return part.isEmpty() ? null : part; // the document itself
    }

    private String object(String part, String description) throws IOException {
        Optional<XmlCursor> content = objects.zip().findXml(part + "/content.xml");
        if (content.isEmpty()) {
            return "[object " + part + (description.isEmpty() ? "" : ": " + description) + "]";
        }
        try (XmlCursor xml = content.get()) {
            return OdfObjectText.read(xml, part, description);
        } catch (DocumentException e) {
            if (e.code() == Failure.Code.BROKEN) {
                return "[object " + part + ": it is damaged]";
            }
            throw e;
        }
    }
}
