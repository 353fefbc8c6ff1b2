package dev.satchel.server.file;

import dev.satchel.server.objectstore.ObjectKey;

/** Bytes in the object store and what a download says of them. */
public record StoredFile(String name, String mimeType, long size, String sha256, ObjectKey key) {}
