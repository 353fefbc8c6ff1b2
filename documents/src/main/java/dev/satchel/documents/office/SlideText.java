package dev.satchel.documents.office;

import dev.satchel.documents.reading.TextBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a slide says: its title, and below it paragraphs, list items and rows of tables. */
final class SlideText {
    private final List<Block> blocks = new ArrayList<>();
    private @Nullable String title;

    /** A paragraph or a row. */
    private sealed interface Block {
        record Paragraph(String text) implements Block {}

        record Item(int depth, String marker, String text) implements Block {}

        record Row(List<String> cells) implements Block {}
    }

    @Nullable String title() {
        return title;
    }

    boolean isEmpty() {
        return title == null && blocks.isEmpty();
    }

    /** A second title is a paragraph. */
    void title(String text) {
        if (title == null) {
            title = text.strip().replaceAll("\\s+", " ");
        } else {
            paragraph(text);
        }
    }

    void paragraph(String text) {
        blocks.add(new Block.Paragraph(text));
    }

    void item(int depth, String marker, String text) {
        blocks.add(new Block.Item(depth, marker, text));
    }

    void row(List<String> cells) {
        blocks.add(new Block.Row(List.copyOf(cells)));
    }

    void writeTo(TextBlocks out) throws IOException {
        if (title != null) {
            out.heading(1, title);
        }
        for (Block block : blocks) {
            switch (block) {
                case Block.Paragraph(String text) -> out.paragraph(text);
                case Block.Item(int depth, String marker, String text) ->
                        out.item(depth, marker, text);
                case Block.Row(List<String> cells) -> out.row(cells);
            }
        }
    }
}
