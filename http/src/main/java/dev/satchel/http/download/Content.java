package dev.satchel.http.download;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** Bytes that can be downloaded, completely or in part. */
public interface Content {
    long size();

    /** A strong entity tag without quotes; different bytes have a different one. */
    String etag();

    /** Exactly these bytes, which lie within the size; the caller closes the stream. */
    InputStream open(long offset, long length) throws IOException;

    /**
     * The file that has exactly this content, if there is one. The kernel can then send it. The
     * caller closes it.
     */
    default Optional<FileChannel> openFile() throws IOException {
        return Optional.empty();
    }
}
