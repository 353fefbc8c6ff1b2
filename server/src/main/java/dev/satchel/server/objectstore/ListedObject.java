package dev.satchel.server.objectstore;

import java.time.Instant;

/** An object as a listing shows it; sweepers spare what is young. */
public record ListedObject(ObjectKey key, long size, Instant modified) {}
