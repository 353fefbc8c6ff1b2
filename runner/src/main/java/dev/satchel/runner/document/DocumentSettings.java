package dev.satchel.runner.document;

import java.time.Duration;

/**
 * The limits of reading documents that an operator can change.
 *
 * @param parallel how many documents are read at the same time
 * @param waiting how many more may wait for their turn
 * @param time how long the reading of one may take
 * @param memoryBytes what the process may take that reads one
 * @param maxBytes the largest document
 * @param maxTextBytes how much text of one is read
 * @param cacheBytes how much text is kept on disk
 * @param cacheAge how long a text is kept there at most
 * @param perSearch how many documents one search reads that were not read before
 * @param ocr the languages of tesseract, such as {@code eng+deu}; empty turns OCR off
 * @param parser what is accepted in one document
 */
public record DocumentSettings(
        int parallel,
        int waiting,
        Duration time,
        long memoryBytes,
        long maxBytes,
        int maxTextBytes,
        long cacheBytes,
        Duration cacheAge,
        int perSearch,
        String ocr,
        ParserLimits parser) {
    private static final int MIB = 1 << 20;

    public static final DocumentSettings DEFAULT =
            new DocumentSettings(
                    2,
                    64,
                    Duration.ofSeconds(60),
                    1024L * MIB,
                    100L * MIB,
                    16 * MIB,
                    512L * MIB,
                    Duration.ofHours(24),
                    20,
                    "eng",
                    ParserLimits.DEFAULT);
}
