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
import java.nio.file.Path;

/** The text in a picture, by OCR. */
public final class PictureReader implements DocumentReader {
    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        String languages = request.ocr();
        if (languages == null) {
            throw new DocumentException(
                    Failure.Code.UNSUPPORTED, "A picture has text only for OCR.");
        }
        out.header(DocumentFormat.IMAGE, 1, null);
        String text = TextRecognition.with(languages).read(file);
        out.begin(DocumentPart.Kind.SECTION, 1, null);
        out.append(text);
        out.end(false, true);
    }
}
