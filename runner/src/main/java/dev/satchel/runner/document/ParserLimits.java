package dev.satchel.runner.document;

import dev.satchel.documents.reading.ExtractRequest;
import java.util.List;

/**
 * What the program that reads documents accepts in one of them.
 *
 * @param parts pages, sheets, slides and the like
 * @param cells of a workbook
 * @param pictures inside a document whose text is read by OCR
 * @param entries of an archive, or of a document that is a zip
 * @param unpackedBytes what may be unpacked from it
 * @param unpackedTimes the same as a multiple of its size
 */
public record ParserLimits(
        int parts, int cells, int pictures, int entries, long unpackedBytes, int unpackedTimes) {
    /** Those of the program itself. */
    public static final ParserLimits DEFAULT = of(ExtractRequest.Limits.DEFAULT);

    private static ParserLimits of(ExtractRequest.Limits limits) {
        return new ParserLimits(
                limits.maxParts(),
                Math.toIntExact(limits.maxCells()),
                limits.maxPictures(),
                limits.unpacking().maxEntries(),
                limits.unpacking().maxBytes(),
                limits.unpacking().maxTimes());
    }

    /** The options of the program. */
    List<String> arguments() {
        return List.of(
                "--max-parts",
                Integer.toString(parts),
                "--max-cells",
                Integer.toString(cells),
                "--max-pictures",
                Integer.toString(pictures),
                "--max-entries",
                Integer.toString(entries),
                "--max-unpacked",
                Long.toString(unpackedBytes),
                "--max-times",
                Integer.toString(unpackedTimes));
    }
}
