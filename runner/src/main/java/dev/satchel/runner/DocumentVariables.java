package dev.satchel.runner;

import dev.satchel.runner.document.AttachedDocuments;
import dev.satchel.runner.document.DocumentSettings;
import dev.satchel.runner.document.ParserLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the settings of documents from variables. */
final class DocumentVariables {
    private static final int MIB = 1 << 20;
    private static final int MILLION = 1_000_000;
    private static final String OCR = "SATCHEL_OCR";
    private static final Pattern LANGUAGES =
            Pattern.compile("[A-Za-z0-9_]{1,30}(\\+[A-Za-z0-9_]{1,30}){0,9}");

    private DocumentVariables() {}

    /** Reads a whole number between two others. */
    @FunctionalInterface
    interface Numbers {
        int read(String name, int fallback, int least, int most);
    }

    static DocumentSettings read(
            Map<String, String> settings, Numbers numbers, List<String> problems) {
        DocumentSettings standard = DocumentSettings.DEFAULT;
        return new DocumentSettings(
                numbers.read("SATCHEL_DOCUMENT_PARALLEL", standard.parallel(), 1, 1_000),
                numbers.read("SATCHEL_DOCUMENT_WAITING", standard.waiting(), 0, 100_000),
                Duration.ofSeconds(
                        numbers.read(
                                "SATCHEL_DOCUMENT_SECONDS",
                                (int) standard.time().toSeconds(),
                                1,
                                3_600)),
                (long) MIB
                        * numbers.read(
                                "SATCHEL_DOCUMENT_MEMORY_MB",
                                (int) (standard.memoryBytes() / MIB),
                                128,
                                100_000),
                (long) MIB
                        * numbers.read(
                                "SATCHEL_DOCUMENT_MB",
                                (int) (standard.maxBytes() / MIB),
                                1,
                                10_000),
                MIB
                        * numbers.read(
                                "SATCHEL_DOCUMENT_TEXT_MB", standard.maxTextBytes() / MIB, 1, 512),
                (long) MIB
                        * numbers.read(
                                "SATCHEL_DOCUMENT_CACHE_MB",
                                (int) (standard.cacheBytes() / MIB),
                                0,
                                10_000_000),
                Duration.ofHours(
                        numbers.read(
                                "SATCHEL_DOCUMENT_CACHE_HOURS",
                                (int) standard.cacheAge().toHours(),
                                1,
                                100_000)),
                numbers.read("SATCHEL_DOCUMENTS_PER_SEARCH", standard.perSearch(), 0, 100_000),
                ocr(settings, problems),
                parser(numbers));
    }

    private static ParserLimits parser(Numbers numbers) {
        ParserLimits standard = ParserLimits.DEFAULT;
        return new ParserLimits(
                numbers.read("SATCHEL_DOCUMENT_PARTS", standard.parts(), 1, 10_000_000),
                numbers.read("SATCHEL_DOCUMENT_CELLS", standard.cells(), 1, 2_000_000_000),
                numbers.read("SATCHEL_DOCUMENT_PICTURES", standard.pictures(), 1, 10_000),
                numbers.read("SATCHEL_DOCUMENT_ENTRIES", standard.entries(), 1, 10_000_000),
                (long) MIB
                        * numbers.read(
                                "SATCHEL_DOCUMENT_UNPACKED_MB",
                                (int) (standard.unpackedBytes() / MIB),
                                1,
                                1_000_000),
                numbers.read(
                        "SATCHEL_DOCUMENT_UNPACKED_TIMES", standard.unpackedTimes(), 1, 2_000));
    }

    static AttachedDocuments attached(Numbers numbers) {
        AttachedDocuments standard = AttachedDocuments.DEFAULT;
        return new AttachedDocuments(
                Duration.ofSeconds(
                        numbers.read(
                                "SATCHEL_DOCUMENT_HINT_SECONDS",
                                (int) standard.hintTime().toSeconds(),
                                0,
                                600)),
                numbers.read("SATCHEL_PDF_PAGES", standard.pdfPages(), 0, 100),
                MILLION * numbers.read("SATCHEL_PDF_MB", standard.pdfBytes() / MILLION, 0, 20));
    }

    private static String ocr(Map<String, String> settings, List<String> problems) {
        String languages = settings.getOrDefault(OCR, "").strip();
        if (languages.isEmpty()) {
            return DocumentSettings.DEFAULT.ocr();
        }
        if (languages.equals("off")) {
            return "";
        }
        if (!LANGUAGES.matcher(languages).matches()) {
            problems.add(
                    OCR
                            + " must be languages of tesseract such as eng+deu, or off, not "
                            + languages);
        }
        return languages;
    }
}
