package dev.satchel.documents;

import dev.satchel.documents.DocumentLine.Cut;
import dev.satchel.documents.DocumentLine.End;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.LimitReachedException;
import dev.satchel.documents.reading.PartWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the reader of a document and turns every outcome into lines. */
public final class DocumentExtractor {
    private DocumentExtractor() {}

    /**
     * Writes the lines of one document, the last one included. It throws only if they cannot be
     * written.
     *
     * @param filename the name that the document has for people; its extension helps to find the
     *     format
     */
    public static void extract(Path file, String filename, ExtractRequest request, OutputStream out)
            throws IOException {
        PartWriter parts = new PartWriter(out, request);
        parts.write(outcome(file, filename, request, parts));
    }

    private static DocumentLine outcome(
            Path file, String filename, ExtractRequest request, PartWriter parts)
            throws IOException {
        try {
            read(file, filename, request, parts);
            return new End();
        } catch (LimitReachedException e) {
            parts.write(new Cut(String.valueOf(e.getMessage())));
            return new End();
        } catch (DocumentException e) {
            parts.abandon();
            return e.toLine();
        } catch (IOException | RuntimeException e) {
            parts.abandon();
            return new Failure(Failure.Code.BROKEN, "The file is damaged: " + e.getMessage());
        } catch (StackOverflowError e) {
            return new Failure(Failure.Code.BOMB, "The file is nested too deeply.");
        } catch (OutOfMemoryError e) {
            return new Failure(
                    Failure.Code.TOO_LARGE, "The file needs more memory than is allowed.");
        }
    }

    private static void read(Path file, String filename, ExtractRequest request, PartWriter parts)
            throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(DocumentFormat.HEAD_BYTES);
        }
        Optional<DocumentFormat> format = DocumentFormat.detect(filename, head);
        if (format.isEmpty()) {
            throw new DocumentException(
                    Failure.Code.UNSUPPORTED, "This is not a document whose text can be read.");
        }
        reader(format.get()).read(file, request, parts);
    }

    private static DocumentReader reader(DocumentFormat format) throws DocumentException {
        throw new DocumentException(
                Failure.Code.UNSUPPORTED, "Text of " + format.wireName() + " is not read yet.");
    }
}
