package dev.satchel.documents.office;

import dev.satchel.documents.embedded.ChartReader;
import dev.satchel.documents.embedded.EmbeddedPictures;
import dev.satchel.documents.xml.DocumentZip;
import dev.satchel.documents.xml.Relationships;
import dev.satchel.documents.xml.Relationships.Relationship;
import dev.satchel.documents.xml.XmlCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what one drawing of a document of Office shows: pictures, charts, a description. */
final class Drawing {
    private final Context context;
    private final List<String> marks = new ArrayList<>();
    private @Nullable String description;

    /** Where the pictures and charts of a part are. */
    record Context(DocumentZip zip, Relationships related, EmbeddedPictures pictures) {}

    Drawing(Context context) {
        this.context = context;
    }

    /** Takes the element that starts here; gives whether it belongs to a drawing. */
    boolean take(XmlCursor xml) throws IOException {
        switch (xml.name()) {
            case "docPr", "cNvPr" -> describe(xml.attribute("descr"));
            case "blip" -> {
                String id = xml.relationship("embed");
                picture(id == null ? xml.relationship("link") : id);
            }
            case "imagedata" -> {
                describe(xml.attribute("title"));
                picture(xml.relationship("id"));
            }
            case "chart" -> chart(xml.relationship("id"));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void describe(@Nullable String text) {
        if (description == null && text != null && !text.isBlank()) {
            description = text;
        }
    }

    private void picture(@Nullable String id) throws IOException {
        Relationship target = context.related().find(id);
        if (target != null) {
            marks.add(context.pictures().mark(target.target(), description));
            description = null; // the next picture of the same drawing has its own
        }
    }

    private void chart(@Nullable String id) throws IOException {
        Relationship target = context.related().find(id);
        if (target == null || target.isExternal()) {
            return;
        }
        String text = ChartReader.read(context.zip(), target.target(), description);
        if (!text.isEmpty()) {
            marks.add(text);
        }
    }

    /** What is to be shown; a description stands for what has neither picture nor chart. */
    List<String> marks() throws IOException {
        if (marks.isEmpty() && description != null && !description.isBlank()) {
            return List.of(context.pictures().mark(null, description));
        }
        return marks;
    }
}
