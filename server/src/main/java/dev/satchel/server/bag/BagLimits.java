package dev.satchel.server.bag;

/** What one file, one bag and one write-back may hold. */
public record BagLimits(long maxFileBytes, int maxFiles, long maxBagBytes) {
    private static final long MIB = 1L << 20;

    /** What one run may hand in at its end. */
    public static final BagLimits WRITE_BACK = new BagLimits(25 * MIB, 20, 50 * MIB);
}
