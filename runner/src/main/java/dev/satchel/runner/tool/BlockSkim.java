package dev.satchel.runner.tool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Tells blocks that hold none of some texts, by the byte of each text that is rarest in the data
 * itself, of which a sample is looked at now and then. Where even that byte is common it does not
 * try. For one search and one thread.
 */
final class BlockSkim {
    private static final int SAMPLE = 4 * 1024;

    /** Blocks until the next sample: data may change its nature half-way. */
    private static final int SAMPLE_EVERY = 64;

    /** Bytes between two places to look at; with less, looking at every word is no slower. */
    private static final int WORTHWHILE = 256;

    private final List<ByteSearch> texts;
    private final int[] rarest;
    private boolean worthwhile;
    private int untilSample;

    /** Without texts nothing is ever told. */
    BlockSkim(List<ByteSearch> texts) {
        this.texts = texts;
        this.rarest = new int[texts.size()];
    }

    /** Whether the first bytes of a block surely hold none of the texts. */
    boolean isEmpty(MemorySegment block, int length) {
        if (texts.isEmpty() || length < SAMPLE) {
            return false;
        }
        if (untilSample-- == 0) {
            sample(block);
        }
        for (int i = 0; worthwhile && i < rarest.length; i++) {
            if (mayHold(texts.get(i), rarest[i], block, length)) {
                return false;
            }
        }
        return worthwhile;
    }

    private void sample(MemorySegment block) {
        int[] counts = new int[256];
        for (int i = 0; i < SAMPLE; i++) {
            counts[block.get(ValueLayout.JAVA_BYTE, i) & 0xff]++;
        }
        worthwhile = true;
        for (int i = 0; i < rarest.length; i++) {
            rarest[i] = texts.get(i).rarest(counts);
            worthwhile &=
                    rarest[i] >= 0
                            && counts[texts.get(i).at(rarest[i]) & 0xff] * WORTHWHILE < SAMPLE;
        }
        untilSample = SAMPLE_EVERY;
    }

    /** Also when the byte turns out to be common after all. */
    private static boolean mayHold(ByteSearch text, int rarest, MemorySegment block, int length) {
        int tries = length / WORTHWHILE;
        int last = length - (text.length() - rarest) + 1;
        int at = rarest;
        while (at < last && (at = NativeBytes.find(block, text.at(rarest), at, last)) >= 0) {
            if (text.isAt(block, at - rarest) || --tries == 0) {
                return true;
            }
            at++;
        }
        return false;
    }
}
