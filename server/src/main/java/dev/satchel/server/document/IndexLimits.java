package dev.satchel.server.document;

/**
 * Limits of the texts of files.
 *
 * @param maxFileBytes larger files are not read
 * @param maxTextBytes the rest of a longer text is neither stored nor found
 * @param maxAttempts how often a file is tried
 */
public record IndexLimits(long maxFileBytes, int maxTextBytes, int maxAttempts) {
    public static final IndexLimits STANDARD = new IndexLimits(100_000_000, 1_048_576, 3);
}
