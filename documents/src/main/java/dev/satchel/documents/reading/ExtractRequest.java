package dev.satchel.documents.reading;

import dev.satchel.documents.xml.UnpackingLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a document.
 *
 * @param pages the numbers of the wanted parts: pages, slides, sections, chapters, cells
 * @param sheet the wanted sheet of a workbook by its name or number, null for all
 * @param range the wanted cells of a sheet, null for all
 * @param ocr languages for {@code tesseract} such as {@code eng+deu}, null for no OCR
 */
public record ExtractRequest(
        PartRange pages,
        @Nullable String sheet,
        @Nullable CellRange range,
        @Nullable String ocr,
        @Nullable Rendering rendering,
        Limits limits) {
    private static final Set<String> NAMES =
            Set.of(
                    "--pages",
                    "--sheet",
                    "--range",
                    "--render",
                    "--max-pixels",
                    "--ocr",
                    "--max-text",
                    "--max-parts",
                    "--max-cells",
                    "--max-pictures",
                    "--max-entries",
                    "--max-unpacked",
                    "--max-times",
                    "--max-seconds");

    /**
     * One page as a picture.
     *
     * @param maxPixels the largest number of pixels of the longer side
     */
    public record Rendering(int page, int maxPixels) {
        static final int DEFAULT_MAX_PIXELS = 1568;
        static final int LARGEST = 8000;
    }

    /**
     * Where the extraction stops.
     *
     * @param maxText bytes of text in UTF-8, of all parts together
     * @param maxParts parts that are written
     * @param maxCells cells of a workbook that are read
     * @param maxPictures pictures inside a document whose text is read by OCR
     */
    public record Limits(
            long maxText,
            int maxParts,
            long maxCells,
            int maxPictures,
            UnpackingLimits unpacking,
            Duration maxTime) {
        public static final Limits DEFAULT =
                new Limits(
                        64L * 1024 * 1024,
                        100_000,
                        20_000_000,
                        20,
                        UnpackingLimits.DEFAULT,
                        Duration.ofMinutes(2));
    }

    /** The whole document. */
    public static ExtractRequest all() {
        return parse(Map.of());
    }

    /** Reads the options of the program, each with its dashes. */
    public static ExtractRequest parse(Map<String, String> options) {
        for (String name : options.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("unknown option " + name);
            }
        }
        String pages = options.get("--pages");
        String range = options.get("--range");
        String page = options.get("--render");
        return new ExtractRequest(
                pages == null ? PartRange.ALL : PartRange.parse(pages),
                options.get("--sheet"),
                range == null ? null : CellRange.parse(range),
                options.get("--ocr"),
                page == null
                        ? null
                        : new Rendering(
                                (int) number("--render", page, Integer.MAX_VALUE),
                                (int)
                                        number(
                                                "--max-pixels",
                                                options.getOrDefault(
                                                        "--max-pixels",
                                                        String.valueOf(
                                                                Rendering.DEFAULT_MAX_PIXELS)),
                                                Rendering.LARGEST)),
                limits(options));
    }

    private static Limits limits(Map<String, String> options) {
        Limits standard = Limits.DEFAULT;
        UnpackingLimits unpacking = standard.unpacking();
        return new Limits(
                number(options, "--max-text", standard.maxText(), Long.MAX_VALUE),
                number(options, "--max-parts", standard.maxParts()),
                number(options, "--max-cells", standard.maxCells(), Long.MAX_VALUE),
                number(options, "--max-pictures", standard.maxPictures()),
                new UnpackingLimits(
                        number(options, "--max-entries", unpacking.maxEntries()),
                        number(options, "--max-unpacked", unpacking.maxBytes(), Long.MAX_VALUE),
                        number(options, "--max-times", unpacking.maxTimes())),
                Duration.ofSeconds(
                        number(
                                options,
                                "--max-seconds",
                                standard.maxTime().toSeconds(),
                                1_000_000)));
    }

    private static int number(Map<String, String> options, String name, int otherwise) {
        return (int) number(options, name, otherwise, Integer.MAX_VALUE);
    }

    private static long number(
            Map<String, String> options, String name, long otherwise, long largest) {
        String value = options.get(name);
        return value == null ? otherwise : number(name, value, largest);
    }

    private static long number(String name, String value, long largest) {
        if (!value.matches("\\d{1,18}") || Long.parseLong(value) < 1) {
            throw new IllegalArgumentException(name + " is a positive number, this is " + value);
        }
        return Math.min(Long.parseLong(value), largest);
    }
}
