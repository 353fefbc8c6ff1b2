package dev.satchel.server.file;

import dev.satchel.http.BoundedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** A file of a request, with a safe name, a detected type and a bounded length. */
public record IncomingFile(String name, String mimeType, InputStream content) {
    public static IncomingFile of(String filename, InputStream content, long maxBytes)
            throws IOException {
        String name = FileNames.clean(filename);
        InputStream limited = BoundedInputStream.refusingMoreThan(content, maxBytes, name);
        byte[] head = limited.readNBytes(ContentTypeDetector.HEAD_BYTES);
        return new IncomingFile(
                name,
                ContentTypeDetector.detect(name, head),
                new SequenceInputStream(new ByteArrayInputStream(head), limited));
    }
}
