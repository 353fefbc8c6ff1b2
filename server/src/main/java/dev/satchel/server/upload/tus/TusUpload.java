package dev.satchel.server.upload.tus;

import dev.satchel.server.upload.Upload;

/** An upload that arrives in pieces: how long it says it will be, and how much of it is here. */
public record TusUpload(Upload upload, long length, long received, boolean arrived) {
    boolean whole() {
        return received == length;
    }

    /** Its pieces lie beneath this until they are put together. */
    public static String partPrefix(Upload upload) {
        return upload.session() + "/parts/" + upload.id().value() + "/";
    }
}
