package dev.satchel.documents.xml;

/**
 * How much a compressed file may unpack to.
 *
 * @param maxEntries files in an archive or in a document that is a zip
 * @param maxBytes of all that is unpacked together
 * @param maxTimes of the size of the file; real documents reach 100 times, the format 1,032 times
 */
public record UnpackingLimits(int maxEntries, long maxBytes, int maxTimes) {
    public static final UnpackingLimits DEFAULT =
            new UnpackingLimits(200_000, 2L * 1024 * 1024 * 1024, 250);
}
