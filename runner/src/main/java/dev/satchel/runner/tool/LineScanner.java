package dev.satchel.runner.tool;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads a text in blocks of whole lines and has those searched that may hold what is wanted. A
 * block lies outside of the heap, where the system has put it, and is copied only to be searched.
 * Files are not mapped: one that is cut off meanwhile would end the process.
 */
final class LineScanner {
    private static final int BLOCK = 64 * 1024;

    /** A longer line is searched in pieces. */
    private static final int MAX_LINE = 16 * 1024 * 1024;

    /** Hears of a matching line; false ends the search of this text. */
    interface Hits {
        boolean hit(long number, String line, int match);
    }

    private final LineMatcher matcher;
    private final BlockSkim skim;
    private final Deadline deadline;
    private final boolean numbers;
    private ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private MemorySegment memory = MemorySegment.ofBuffer(block);
    private byte[] copy = new byte[BLOCK];

    /** Without numbers every line is said to be line 0, and no line feed is counted. */
    LineScanner(LineMatcher matcher, boolean numbers, Deadline deadline) {
        this.matcher = matcher;
        this.skim = new BlockSkim(matcher.literals());
        this.numbers = numbers;
        this.deadline = deadline;
    }

    /** One scanner serves many texts, one after the other. */
    void scan(TextFile text, Hits hits) throws IOException {
        LineNumbers lineNumbers = numbers ? new LineNumbers(text) : null;
        BlockSearch search = new BlockSearch(matcher, lineNumbers, hits, deadline);
        boolean skims = text.isReadAsItIs();
        ReadableByteChannel bytes = text.channel();
        long offset = 0;
        block.clear();
        while (true) {
            deadline.check();
            int before = block.position();
            boolean ended = bytes.read(block) < 0;
            int whole = ended ? block.position() : afterLastFeed(before, block.position());
            if (whole == 0 && !ended && makeRoom()) {
                continue;
            }
            int done = whole == 0 ? block.position() : whole;
            boolean more =
                    (skims && skim.isEmpty(memory, done))
                            || search.search(copied(done), offset, done);
            if (!more || ended) {
                return;
            }
            offset += done;
            block.flip().position(done).compact();
        }
    }

    /** False when the block is as large as it gets; it then holds the piece of a line. */
    private boolean makeRoom() {
        if (block.hasRemaining()) {
            return true;
        }
        if (block.capacity() >= MAX_LINE) {
            return false;
        }
        block = ByteBuffer.allocateDirect(2 * block.capacity()).put(block.flip());
        memory = MemorySegment.ofBuffer(block.duplicate().clear());
        copy = new byte[block.capacity()];
        return true;
    }

    private byte[] copied(int length) {
        block.get(0, copy, 0, length);
        return copy;
    }

    private int afterLastFeed(int from, int to) {
        for (int i = to; i > from; i--) {
            if (block.get(i - 1) == '\n') {
                return i;
            }
        }
        return 0;
    }
}
