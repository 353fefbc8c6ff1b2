package dev.satchel.server.bag;

import dev.satchel.http.LimitedStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** A file on its way in: a name we can keep, a type told by its first bytes, a bounded length. */
public record IncomingFile(String name, String mimeType, InputStream content) {
    public static IncomingFile of(String filename, InputStream content, long maxBytes)
            throws IOException {
        String name = FileNames.clean(filename);
        InputStream limited = new LimitedStream(content, maxBytes, name);
        byte[] head = limited.readNBytes(ContentTypes.HEAD_BYTES);
        return new IncomingFile(
                name,
                ContentTypes.detect(name, head),
                new SequenceInputStream(new ByteArrayInputStream(head), limited));
    }
}
