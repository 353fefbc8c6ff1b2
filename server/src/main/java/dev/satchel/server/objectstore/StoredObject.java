package dev.satchel.server.objectstore;

/** What was stored: how many bytes, and their SHA-256 in lower-case hex. */
public record StoredObject(long size, String sha256) {}
