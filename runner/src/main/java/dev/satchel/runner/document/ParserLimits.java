package dev.satchel.runner.document;

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
    public static final ParserLimits DEFAULT =
            new ParserLimits(100_000, 20_000_000, 20, 200_000, 2048L << 20, 250);

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
