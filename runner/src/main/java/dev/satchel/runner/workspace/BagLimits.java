package dev.satchel.runner.workspace;

/**
 * How much a bag may hold. Bytes are counted as they come out of the zip, whatever it says of
 * itself; the ratio counts only beyond {@code freeBytes}, for honest files of zeros exist.
 */
public record BagLimits(int maxEntries, long maxBytes, int maxRatio, long freeBytes) {
    private static final long MIB = 1L << 20;

    public static final BagLimits DEFAULT = new BagLimits(10_000, 2048 * MIB, 200, 64 * MIB);
}
