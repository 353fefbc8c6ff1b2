package dev.satchel.runner.tool;

import java.io.IOException;

/**
 * The numbers of lines that are found, counted no further than the last of them. What lies between
 * is read once more, or counted as it passes where that cannot be.
 */
final class LineNumbers {
    private final TextFile text;
    private long counted;
    private long feeds;

    LineNumbers(TextFile text) {
        this.text = text;
    }

    /** Of the line that begins at a place in a block; both only ever grow. */
    long of(byte[] block, long offset, int place) throws IOException {
        if (counted < offset) {
            feeds += text.feeds(counted, offset);
            counted = offset;
        }
        feeds += LineFeeds.count(block, (int) (counted - offset), place);
        counted = offset + place;
        return feeds + 1;
    }

    /** A block in which something was found is at hand, and is counted to its end. */
    void leave(byte[] block, long offset, int length) {
        if (counted > offset || !text.isReadAsItIs()) {
            feeds += LineFeeds.count(block, (int) (counted - offset), length);
            counted = offset + length;
        }
    }
}
