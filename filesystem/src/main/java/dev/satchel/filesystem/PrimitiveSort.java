package dev.satchel.filesystem;

import java.util.function.IntBinaryOperator;

/** Sorts what is known by number only; Java does so with objects alone. */
final class PrimitiveSort {
    private PrimitiveSort() {}

    /** The numbers from 0 on in the order that a comparison gives them, by merging. */
    static int[] sorted(int count, IntBinaryOperator comparison) {
        int[] from = new int[count];
        int[] to = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = i;
        }
        for (int width = 1; width < count; width *= 2) {
            for (int start = 0; start < count; start += 2 * width) {
                int middle = Math.min(start + width, count);
                int end = Math.min(middle + width, count);
                merge(from, to, start, middle, end, comparison);
            }
            int[] merged = to;
            to = from;
            from = merged;
        }
        return from;
    }

    private static void merge(
            int[] from, int[] to, int start, int middle, int end, IntBinaryOperator comparison) {
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
            boolean takesLeft =
                    right == end
                            || (left < middle
                                    && comparison.applyAsInt(from[left], from[right]) <= 0);
            to[at] = takesLeft ? from[left++] : from[right++];
        }
    }
}
