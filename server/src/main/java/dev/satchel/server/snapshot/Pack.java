package dev.satchel.server.snapshot;

/** An object that holds the contents of many files, one zstd frame after the other. */
public record Pack(String name, long size) {}
