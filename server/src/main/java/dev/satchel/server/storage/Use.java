package dev.satchel.server.storage;

import java.util.List;

/** How many things there are, and their bytes together. */
record Use(long count, long bytes) {
    static final Use NONE = new Use(0, 0);

    Use plus(Use other) {
        return new Use(count + other.count, bytes + other.bytes);
    }

    static Use sum(List<Use> uses) {
        return uses.stream().reduce(NONE, Use::plus);
    }
}
