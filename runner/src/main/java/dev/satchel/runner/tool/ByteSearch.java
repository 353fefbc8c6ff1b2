package dev.satchel.runner.tool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds a piece of text in bytes, eight places at a time: a place is looked at closely only when
 * the two rarest bytes of the text stand where they should. Ignoring case means ASCII only.
 */
final class ByteSearch {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    /** From the most common byte of text and data on; what is not here is rare. */
    private static final String COMMON = " etaoinsrhldcum\nfpg01wyb2v,.3k-/4_\"5678:9=x;()j'qz";

    private static final byte CASE_BIT = 0x20;

    private final byte[] text;
    private final byte[] folds;
    private final int first;
    private final int second;

    /** The text is in lower case when case is ignored. */
    ByteSearch(byte[] text, boolean ignoreCase) {
        this.text = text.clone();
        this.folds = new byte[text.length];
        for (int i = 0; i < text.length; i++) {
            folds[i] = ignoreCase && text[i] >= 'a' && text[i] <= 'z' ? CASE_BIT : 0;
        }
        this.first = rarest(-1);
        this.second = text.length == 1 ? first : rarest(first);
    }

    /** Where the text begins for the first time, wholly between two offsets, or -1. */
    int find(byte[] bytes, int from, int to) {
        long firstFold = folds[first] * ONES;
        long firstWord = (text[first] & 0xff) * ONES;
        long secondFold = folds[second] * ONES;
        long secondWord = (text[second] & 0xff) * ONES;
        int at = from;
        int stop = to - Math.max(first, second) - 8;
        for (; at <= stop; at += 8) {
            long one = ((long) WORDS.get(bytes, at + first) | firstFold) ^ firstWord;
            long other = ((long) WORDS.get(bytes, at + second) | secondFold) ^ secondWord;
            long differ = one | other; // a zero byte where both are right
            long places = (differ - ONES) & ~differ & HIGHS;
            while (places != 0) {
                int place = at + (Long.numberOfTrailingZeros(places) >>> 3);
                if (isAt(bytes, place, to)) {
                    return place;
                }
                places &= places - 1;
            }
        }
        for (; at <= to - text.length; at++) {
            if (isAt(bytes, at, to)) {
                return at;
            }
        }
        return -1;
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
