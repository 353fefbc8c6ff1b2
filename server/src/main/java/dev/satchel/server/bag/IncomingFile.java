package dev.satchel.server.bag;

import dev.satchel.http.LimitedStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A file on its way in: a name we can keep, a type told by its first bytes, a bounded length. */
public record IncomingFile(String name, String mimeType, InputStream content) {
    private static final int BUFFER_BYTES = 64 * 1024;

    public static IncomingFile of(String filename, InputStream content, long maxBytes)
            throws IOException {
        String name = FileNames.clean(filename);
        BufferedInputStream buffered =
                new BufferedInputStream(new LimitedStream(content, maxBytes, name), BUFFER_BYTES);
        buffered.mark(ContentTypes.HEAD_BYTES);
        byte[] head = buffered.readNBytes(ContentTypes.HEAD_BYTES);
        buffered.reset();
        return new IncomingFile(name, ContentTypes.detect(name, head), buffered);
    }
}
