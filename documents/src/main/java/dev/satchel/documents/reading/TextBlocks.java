package dev.satchel.documents.reading;

import java.io.IOException;
import java.util.List;

/**
 * Writes headings, paragraphs, list items and rows of tables into the open part, with the empty
 * lines between them.
 */
public final class TextBlocks {
    private static final int DEEPEST_HEADING = 6;
    private static final int DEEPEST_LIST = 8;

    private final PartWriter out;
    private Block last = Block.NONE;

    private enum Block {
        NONE,
        PARAGRAPH,
        ITEM,
        ROW
    }

    public TextBlocks(PartWriter out) {
        this.out = out;
    }

    /** A new part has begun. */
    public void restart() {
        last = Block.NONE;
    }

    public void heading(int level, String text) throws IOException {
        if (!text.isBlank()) {
            separate(Block.PARAGRAPH);
            out.append("#".repeat(Math.clamp(level, 1, DEEPEST_HEADING)))
                    .append(' ')
                    .append(oneLine(text));
        }
    }

    public void paragraph(String text) throws IOException {
        if (!text.isBlank()) {
            separate(Block.PARAGRAPH);
            out.append(text.strip());
        }
    }

    /**
     * An item of a list.
     *
     * @param marker {@code -}, or its number such as {@code 2.}
     */
    public void item(int depth, String marker, String text) throws IOException {
        if (!text.isBlank()) {
            separate(Block.ITEM);
            String indent = "  ".repeat(Math.clamp(depth, 0, DEEPEST_LIST));
            out.append(indent)
                    .append(marker)
                    .append(' ')
                    .append(text.strip().replace("\n", "\n" + indent + "  "));
        }
    }

    public void row(List<String> cells) throws IOException {
        if (cells.stream().allMatch(String::isBlank)) {
            return;
        }
        separate(Block.ROW);
        out.append('|');
        for (String cell : cells) {
            out.append(' ').append(cell(cell)).append(" |");
        }
    }

    /** After a table or a list, so that the next one does not continue it. */
    public void close() {
        if (last != Block.NONE) {
            last = Block.PARAGRAPH;
        }
    }

    /** The text of a cell, on one line and without the sign between columns. */
    public static String cell(String text) {
        return oneLine(text).replace("|", "\\|");
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*[\\n\\r\\t]\\s*", " ");
    }

    private void separate(Block next) throws IOException {
        if (last != Block.NONE) {
            out.append(last == next && next != Block.PARAGRAPH ? "\n" : "\n\n");
        }
        last = next;
    }
}
