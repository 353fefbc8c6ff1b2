package dev.satchel.server.snapshot;

/** Where the bytes of a file lie: a zstd frame of {@code length} bytes in a pack. */
public record ContentRef(ContentHash hash, String pack, long offset, long length) {}
