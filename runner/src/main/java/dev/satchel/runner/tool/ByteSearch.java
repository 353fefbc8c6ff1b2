package dev.satchel.runner.tool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds a piece of text in bytes, many places at a time: a place is looked at closely only when the
 * two rarest bytes of the text stand where they should. Ignoring case means ASCII only.
 */
final class ByteSearch {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    /** From the most common byte of text and data on; what is not here is rare. */
    private static final String COMMON = " etaoinsrhldcum\nfpg01wyb2v,.3k-/4_\"5678:9=x;()j'qz";

    /** Bytes looked at before the first branch. */
    private static final int STRIDE = 32;

    private static final byte CASE_BIT = 0x20;

    private final byte[] text;
    private final byte[] folds;
    private final int first;
    private final int second;
    private final long firstFold;
    private final long firstWord;
    private final long secondFold;
    private final long secondWord;

    /** The text is in lower case when case is ignored. */
    ByteSearch(byte[] text, boolean ignoreCase) {
        this.text = text.clone();
        this.folds = new byte[text.length];
        for (int i = 0; i < text.length; i++) {
            folds[i] = ignoreCase && text[i] >= 'a' && text[i] <= 'z' ? CASE_BIT : 0;
        }
        this.first = rarest(-1);
        this.second = text.length == 1 ? first : rarest(first);
        this.firstFold = folds[first] * ONES;
        this.firstWord = (text[first] & 0xff) * ONES;
        this.secondFold = folds[second] * ONES;
        this.secondWord = (text[second] & 0xff) * ONES;
    }

    /** Where the text begins for the first time, wholly between two offsets, or -1. */
    int find(byte[] bytes, int from, int to) {
        int at = from;
        int stop = to - Math.max(first, second) - STRIDE;
        while ((at = stride(bytes, at, stop)) <= stop) {
            int place = among(bytes, at, to);
            if (place >= 0) {
                return place;
            }
            at += STRIDE;
        }
        for (; at <= to - text.length; at++) {
            if (isAt(bytes, at, to)) {
                return at;
            }
        }
        return -1;
    }

    /** The next stride with a place to look at, or the first beyond the last whole one. */
    private int stride(byte[] bytes, int from, int stop) {
        for (int at = from; at <= stop; at += STRIDE) {
            long places =
                    places(bytes, at)
                            | places(bytes, at + 8)
                            | places(bytes, at + 16)
                            | places(bytes, at + 24);
            if (places != 0) {
                return at;
            }
        }
        return Math.max(from, stop + 1);
    }

    private int among(byte[] bytes, int from, int to) {
        for (int at = from; at < from + STRIDE; at += 8) {
            for (long left = places(bytes, at); left != 0; left &= left - 1) {
                int place = at + (Long.numberOfTrailingZeros(left) >>> 3);
                if (isAt(bytes, place, to)) {
                    return place;
                }
            }
        }
        return -1;
    }

    /** The highest bit of each of eight places where both bytes are right, and sometimes more. */
    private long places(byte[] bytes, int at) {
        long one = ((long) WORDS.get(bytes, at + first) | firstFold) ^ firstWord;
        long other = ((long) WORDS.get(bytes, at + second) | secondFold) ^ secondWord;
        long differ = one | other; // a zero byte where both are right
        return (differ - ONES) & ~differ & HIGHS;
    }

    int length() {
        return text.length;
    }

    byte at(int offset) {
        return text[offset];
    }

    /**
     * Which byte of the text is the rarest by these counts, or -1 if each may be in either case.
     */
    int rarest(int[] counts) {
        int best = -1;
        for (int i = 0; i < text.length; i++) {
            boolean rarer = best < 0 || counts[text[i] & 0xff] < counts[text[best] & 0xff];
            if (folds[i] == 0 && rarer) {
                best = i;
            }
        }
        return best;
    }

    /** Whether the text stands at a place, wholly inside of the block. */
    boolean isAt(MemorySegment block, long place) {
        for (int i = 0; i < text.length; i++) {
            if ((byte) (block.get(ValueLayout.JAVA_BYTE, place + i) | folds[i]) != text[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isAt(byte[] bytes, int place, int to) {
        if (place > to - text.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if ((byte) (bytes[place + i] | folds[i]) != text[i]) {
                return false;
            }
        }
        return true;
    }

    private int rarest(int except) {
        int best = except == 0 ? 1 : 0;
        for (int i = 0; i < text.length; i++) {
            if (i != except && rarity(text[i]) > rarity(text[best])) {
                best = i;
            }
        }
        return best;
    }

    private static int rarity(byte b) {
        int rank = COMMON.indexOf(b | (b >= 'A' && b <= 'Z' ? CASE_BIT : 0));
        return rank < 0 ? COMMON.length() : rank;
    }
}
