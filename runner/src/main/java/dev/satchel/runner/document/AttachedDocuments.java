package dev.satchel.runner.document;

import java.time.Duration;

/**
 * Limits of documents that are attached to a message.
 *
 * @param hintTime how long the model waits for what a document has before it is asked
 * @param pdfPages how many pages the PDFs may have together that the model gets as they are
 * @param pdfBytes how many bytes these may have together
 */
public record AttachedDocuments(Duration hintTime, int pdfPages, int pdfBytes) {
    public static final AttachedDocuments DEFAULT =
            new AttachedDocuments(Duration.ofSeconds(10), 20, 10_000_000);
}
