package dev.satchel.tools.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.TextFile;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Which files a search reads as documents. */
public final class SearchedDocuments {
    /** Of archives the list of their entries is searched. */
    private static final List<String> DOCUMENTS =
            List.of(
                    "pdf", "docx", "docm", "dotx", "dotm", "xlsx", "xlsm", "xltx", "xltm", "pptx",
                    "pptm", "ppsx", "ppsm", "potx", "potm", "odt", "ott", "ods", "ots", "odp",
                    "otp", "epub", "rtf", "eml", "mht", "mhtml", "ipynb", "zip", "tar", "tgz",
                    "gz");

    private static final List<String> PICTURES =
            List.of("png", "jpg", "jpeg", "gif", "webp", "tif", "tiff", "bmp");

    private static final List<String> DOCUMENTS_AND_PICTURES =
            Stream.concat(DOCUMENTS.stream(), PICTURES.stream()).toList();

    private SearchedDocuments() {}

    /** Of the files of a directory those with such a name are opened; none without a reader. */
    public static List<String> extensions(DocumentTextReader reader) {
        if (!reader.unavailable().isEmpty()) {
            return List.of();
        }
        return reader.readsPictures() ? DOCUMENTS_AND_PICTURES : DOCUMENTS;
    }

    /** The part of a name after its last dot. */
    public static String extension(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /**
     * The format of a file that is searched by its parts; HTML is searched as text, pictures only
     * where their text is read.
     */
    public static Optional<DocumentFormat> find(
            String name, OpenFile file, DocumentTextReader reader) throws IOException {
        byte[] head = TextFile.head(file, DocumentFormat.HEAD_BYTES);
        Optional<DocumentFormat> format = DocumentFormat.detect(name, head);
        return format.isPresent()
                ? format.filter(found -> found != DocumentFormat.HTML)
                : picture(TextFile.of(file), head, reader);
    }

    /** {@link DocumentFormat#IMAGE} for a picture whose text is read. */
    public static Optional<DocumentFormat> picture(
            TextFile file, byte[] head, DocumentTextReader reader) {
        boolean isPicture = !file.isText() && DocumentFormat.isPicture(head);
        return isPicture && reader.readsPictures()
                ? Optional.of(DocumentFormat.IMAGE)
                : Optional.empty();
    }
}
