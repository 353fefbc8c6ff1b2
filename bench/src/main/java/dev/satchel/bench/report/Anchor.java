package dev.satchel.bench.report;

/** What ours is measured against, in the same rounds. */
public record Anchor(String name, Series series) {}
