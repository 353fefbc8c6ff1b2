package dev.satchel.server.objectstore;

import java.time.Instant;

/** An object in a listing. Sweepers use its age. */
public record ListedObject(ObjectKey key, long size, Instant modified) {}
