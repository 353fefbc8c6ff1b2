package dev.satchel.documents.reading;

import dev.satchel.documents.DocumentPart;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes text that flows: a new part begins with each heading of the first level. */
public final class SectionWriter implements TextSink {
    private static final int MAX_NOTES = 10_000;

    private final PartWriter out;
    private final DocumentPart.Kind kind;
    private final TextBlocks blocks;
    private final List<String> notes = new ArrayList<>();
    private int number;
    private int lastNote;
    private boolean isOpen;

    public SectionWriter(PartWriter out, DocumentPart.Kind kind) {
        this.out = out;
        this.kind = kind;
        this.blocks = new TextBlocks(out);
    }

    /** Where paragraphs go; opens a section if none is open. */
    @Override
    public TextBlocks blocks() throws IOException {
        if (!isOpen) {
            begin(null);
        }
        return blocks;
    }

    @Override
    public void heading(int level, String text) throws IOException {
        if (text.isBlank()) {
            return;
        }
        if (level == 1) {
            begin(text);
        }
        blocks().heading(level, text);
    }

    /** Ends the open section and begins the next one. */
    public void begin(@Nullable String title) throws IOException {
        end();
        out.begin(kind, ++number, title);
        blocks.restart();
        isOpen = true;
    }

    /** Keeps a footnote for the end of the section; gives the sign that stands in the text. */
    @Override
    public String footnote(String text) throws IOException {
        if (text.isBlank()) {
            return "";
        }
        lastNote++;
        notes.add("[^" + lastNote + "]: " + text.strip());
        if (notes.size() >= MAX_NOTES) {
            writeNotes();
        }
        return "[^" + lastNote + "]";
    }

    /** Whether all that the request wants has been written. */
    public boolean isDone() {
        return isOpen && out.isPast(number);
    }

    public void end() throws IOException {
        if (isOpen) {
            writeNotes();
            out.end();
            isOpen = false;
        }
    }

    private void writeNotes() throws IOException {
        List<String> written = List.copyOf(notes);
        notes.clear();
        for (String note : written) {
            blocks().paragraph(note);
        }
    }
}
