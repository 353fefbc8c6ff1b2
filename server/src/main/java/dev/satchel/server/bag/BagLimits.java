package dev.satchel.server.bag;

/** The limits of one file, one bag and one write-back. */
public record BagLimits(long maxFileBytes, int maxFiles, long maxBagBytes) {
    private static final long MIB = 1L << 20;

    /** The limits of the files that one run writes back. */
    public static final BagLimits WRITE_BACK = new BagLimits(25 * MIB, 20, 50 * MIB);
}
