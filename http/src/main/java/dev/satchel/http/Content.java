package dev.satchel.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** Bytes that can be downloaded, whole or in part. */
public interface Content {
    long size();

    /** A strong entity tag, without its quotes: other bytes have another. */
    String etag();

    /** Exactly these bytes, which lie within the size; whoever asks closes it. */
    InputStream open(long offset, long length) throws IOException;

    /**
     * The file behind it, when the whole content is one, so that the kernel can send it by itself
     * where the protocol allows that; whoever asks closes it.
     */
    default Optional<FileChannel> openFile() throws IOException {
        return Optional.empty();
    }
}
