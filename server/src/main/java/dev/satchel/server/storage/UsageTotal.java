package dev.satchel.server.storage;

import java.util.List;

/** A number of files or snapshots, and their bytes in total. */
record UsageTotal(long count, long bytes) {
    static final UsageTotal NONE = new UsageTotal(0, 0);

    UsageTotal plus(UsageTotal other) {
        return new UsageTotal(count + other.count, bytes + other.bytes);
    }

    static UsageTotal sum(List<UsageTotal> uses) {
        return uses.stream().reduce(NONE, UsageTotal::plus);
    }
}
