package dev.satchel.server.bag;

/** The limits of one file, one bag and one write-back. */
public record BagLimits(long maxFileBytes, int maxFiles, long maxBagBytes, int maxOutputFiles) {
    public static final int DEFAULT_OUTPUT_FILES = 1_000;

    /** With the standard number of files that one run may hand in. */
    public BagLimits(long maxFileBytes, int maxFiles, long maxBagBytes) {
        this(maxFileBytes, maxFiles, maxBagBytes, DEFAULT_OUTPUT_FILES);
    }
}
