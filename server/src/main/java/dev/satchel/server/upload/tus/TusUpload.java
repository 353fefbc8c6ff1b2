package dev.satchel.server.upload.tus;

import dev.satchel.server.upload.Upload;

/** A resumable upload: its announced length and the number of bytes received. */
public record TusUpload(Upload upload, long length, long received, boolean arrived) {
    boolean isReceived() {
        return received == length;
    }
}
