package dev.satchel.documents.xml;

import dev.satchel.documents.DocumentFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the format of a zip whose first bytes do not show it, by its directory. */
public final class ZipFormat {
    private static final int LONGEST_TYPE = 100;

    private ZipFormat() {}

    public static Optional<DocumentFormat> detect(Path file, UnpackingLimits limits)
            throws IOException {
        try (DocumentZip zip = DocumentZip.openArchive(file, limits)) {
            if (zip.has("[Content_Types].xml")) {
                return office(zip);
            }
            return switch (zip.start("mimetype", LONGEST_TYPE).strip()) {
                case "application/vnd.oasis.opendocument.text" -> Optional.of(DocumentFormat.ODT);
                case "application/vnd.oasis.opendocument.spreadsheet" ->
                        Optional.of(DocumentFormat.ODS);
                case "application/vnd.oasis.opendocument.presentation" ->
                        Optional.of(DocumentFormat.ODP);
                case "application/epub+zip" -> Optional.of(DocumentFormat.EPUB);
                default -> Optional.empty();
            };
        }
    }

    private static Optional<DocumentFormat> office(DocumentZip zip) {
        if (zip.has("word/document.xml")) {
            return Optional.of(DocumentFormat.DOCX);
        }
        if (zip.has("xl/workbook.xml") || zip.has("xl/workbook.bin")) {
            return Optional.of(DocumentFormat.XLSX);
        }
        return zip.has("ppt/presentation.xml")
                ? Optional.of(DocumentFormat.PPTX)
                : Optional.empty();
    }
}
