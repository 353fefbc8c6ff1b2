package dev.satchel.bench;

/** How large the things are that are measured. */
public record Sizes(int longThread, int streams, int sandboxes) {
    public static final Sizes FULL = new Sizes(10_000, 1_000, 100);
}
