package dev.satchel.runner.tool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Counts line feeds eight bytes at a time. */
final class LineFeeds {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long FEEDS = 0x0a0a0a0a0a0a0a0aL;
    private static final long LOW = 0x7f7f7f7f7f7f7f7fL;
    private static final long PAIRS = 0x00ff00ff00ff00ffL;

    private LineFeeds() {}

    static int count(byte[] bytes, int from, int to) {
        int count = 0;
        int i = from;
        while (i + 8 <= to) {
            // each byte of the sums counts one lane, and must not run over 255
            int stop = Math.min(to - 7, i + 8 * 255);
            long sums = 0;
            for (; i < stop; i += 8) {
                long word = (long) WORDS.get(bytes, i) ^ FEEDS; // a line feed is now a zero byte
                sums += ~(((word & LOW) + LOW) | word | LOW) >>> 7;
            }
            long pairs = (sums & PAIRS) + ((sums >>> 8) & PAIRS);
            count += (int) ((pairs * 0x0001000100010001L) >>> 48);
        }
        for (; i < to; i++) {
            count += bytes[i] == '\n' ? 1 : 0;
        }
        return count;
    }

    /** Where the nth line feed from an offset on is; there must be so many. */
    static int nth(byte[] bytes, int from, long n) {
        long left = n;
        for (int i = from; ; i++) {
            if (bytes[i] == '\n' && --left == 0) {
                return i;
            }
        }
    }
}
