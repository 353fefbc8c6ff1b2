package dev.satchel.server.upload;

/** An upload that arrives in pieces: how long it says it will be, and how much of it is here. */
record TusUpload(Upload upload, long length, long received, boolean arrived) {
    boolean whole() {
        return received == length;
    }

    /** Its pieces lie beneath this until they are put together. */
    static String partPrefix(Upload upload) {
        return upload.session() + "/parts/" + upload.id().value() + "/";
    }
}
