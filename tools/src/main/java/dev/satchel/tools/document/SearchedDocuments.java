package dev.satchel.tools.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.TextFile;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Which files a search reads as documents. */
public final class SearchedDocuments {
    /** Of the files of a directory those with such a name are opened as documents. */
    public static final List<String> EXTENSIONS =
            List.of(
                    "pdf", "docx", "docm", "dotx", "xlsx", "xlsm", "xltx", "pptx", "pptm", "ppsx",
                    "odt", "ott", "ods", "ots", "odp", "otp", "epub", "rtf", "eml");

    private static final Set<DocumentFormat> SOURCE =
            Set.of(DocumentFormat.HTML, DocumentFormat.NOTEBOOK);

    private SearchedDocuments() {}

    public static boolean hasExtension(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return EXTENSIONS.contains(extension);
    }

    /**
     * The format of a file that is searched by its parts; HTML and notebooks are searched as text.
     */
    public static Optional<DocumentFormat> find(String name, OpenFile file) throws IOException {
        return DocumentFormat.detect(name, TextFile.head(file, DocumentFormat.HEAD_BYTES))
                .filter(format -> !SOURCE.contains(format));
    }
}
