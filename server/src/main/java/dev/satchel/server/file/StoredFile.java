package dev.satchel.server.file;

import dev.satchel.server.objectstore.ObjectKey;

/** An object with the name and type of its file. */
public record StoredFile(String name, String mimeType, long size, String sha256, ObjectKey key) {}
