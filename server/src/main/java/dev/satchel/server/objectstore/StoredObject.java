package dev.satchel.server.objectstore;

/** The size of a stored object and its SHA-256 in lower-case hexadecimal. */
public record StoredObject(long size, String sha256) {}
