package dev.satchel.documents;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A format whose text is extracted. Plain text, CSV, JSON, source code and images are not
 * documents: they are shown as they are.
 */
public enum DocumentFormat {
    PDF,
    DOCX,
    XLSX,
    PPTX,
    ODT,
    ODS,
    ODP,
    EPUB,
    RTF,
    HTML,
    EML,
    NOTEBOOK,
    ZIP,
    TAR,
    /** One compressed file that is not a tar archive. */
    GZIP,
    /** The binary formats of Office before 2007, and Office files with a password: not read. */
    OLE2,
    /** A picture whose text OCR reads when the request asks for it; never detected. */
    IMAGE;

    /** How many bytes of the beginning {@link #detect} wants to see; fewer are allowed. */
    public static final int HEAD_BYTES = 8192;

    private static final List<String> PICTURES =
            List.of("\u0089PNG", "\u00ff\u00d8\u00ff", "GIF8", "II*\0", "MM\0*", "BM");

    /** The name in the lines, such as {@code pdf}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a part of it is found by a page number, so that it can be shown as a picture. */
    public boolean hasPages() {
        return this == PDF;
    }

    public static Optional<DocumentFormat> find(String wireName) {
        for (DocumentFormat format : values()) {
            if (format.wireName().equals(wireName)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /**
     * The format of a file by its content, and where the content does not decide, by its name.
     *
     * @param head the first bytes of the file, at best {@link #HEAD_BYTES}
     */
    public static Optional<DocumentFormat> detect(String filename, byte[] head) {
        return new FormatDetector(filename, new String(head, StandardCharsets.ISO_8859_1)).detect();
    }

    /**
     * Whether the first bytes of a file that is neither a document nor text are those of a picture
     * that OCR can read.
     */
    public static boolean isPicture(byte[] head) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        boolean isWebp = text.startsWith("RIFF") && text.startsWith("WEBP", 8);
        return isWebp || PICTURES.stream().anyMatch(text::startsWith);
    }
}
