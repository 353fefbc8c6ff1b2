package dev.satchel.server.sandbox;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import java.io.IOException;
import java.util.Optional;

/** Finds the picture among the lines of a rendered page. */
final class ExtractedPicture {
    private ExtractedPicture() {}

    static DocumentLine.Picture read(DocumentLines lines, int page) throws IOException {
        for (Optional<DocumentLine> line = lines.next(); line.isPresent(); line = lines.next()) {
            switch (line.get()) {
                case DocumentLine.Picture picture -> {
                    return picture;
                }
                case Failure failure ->
                        throw new DocumentException(failure.code(), failure.message());
                case DocumentLine.Header _,
                        DocumentLine.Part _,
                        DocumentLine.Cut _,
                        DocumentLine.End _ -> {}
            }
        }
        throw new DocumentException(Failure.Code.UNSUPPORTED, "It has no page " + page + ".");
    }
}
