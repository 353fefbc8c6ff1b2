package dev.satchel.server.file;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.multipart.MultipartReader;
import dev.satchel.http.multipart.Part;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads the files of an upload: every part with a filename, with any field name. */
public final class MultipartFiles {
    private static final long MULTIPART_OVERHEAD = 1L << 20;

    private MultipartFiles() {}

    /** Receives one file before the next is read. */
    @FunctionalInterface
    public interface Receiver {
        void receive(String filename, InputStream content) throws IOException;
    }

    /** Refuses an upload without a file. */
    public static void receive(Exchange exchange, long maxBytes, Receiver receiver)
            throws IOException {
        MultipartReader parts = MultipartReader.of(exchange, maxBytes + MULTIPART_OVERHEAD);
        boolean any = false;
        for (Optional<Part> part = parts.next(); part.isPresent(); part = parts.next()) {
            Optional<String> filename = part.get().filename();
            if (filename.isPresent()) {
                receiver.receive(filename.get(), part.get().content());
                any = true;
            }
        }
        if (!any) {
            throw Fields.invalid("file", "is required: send at least one part with a filename");
        }
    }
}
