package dev.satchel.documents.pdf;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.reading.TextRecognition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The text in a picture, by OCR. */
public final class PictureReader implements DocumentReader {
    private static final List<String> BEGINNINGS =
            List.of("\u0089PNG", "\u00ff\u00d8\u00ff", "GIF8", "II*\0", "MM\0*", "BM");

    /** Whether the first bytes are those of a picture that OCR can read. */
    public static boolean isPicture(byte[] head) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        boolean isWebp = text.startsWith("RIFF") && text.startsWith("WEBP", 8);
        return isWebp || BEGINNINGS.stream().anyMatch(text::startsWith);
    }

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        String languages = request.ocr();
        if (languages == null) {
            throw new DocumentException(
                    Failure.Code.UNSUPPORTED, "A picture has text only for OCR.");
        }
        out.header(DocumentFormat.IMAGE, 1, null);
        String text = TextRecognition.with(languages).read(file);
        out.begin(DocumentPart.Kind.PAGE, 1, null);
        out.append(text);
        out.end(false, true);
    }
}
