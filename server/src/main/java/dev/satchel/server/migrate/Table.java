package dev.satchel.server.migrate;

import java.util.List;
import java.util.Set;

/** A table of the schema, and the tables whose rows must be there before its own. */
record Table(String name, List<String> columns, Set<String> needs) {
    Table {
        columns = List.copyOf(columns);
        needs = Set.copyOf(needs);
    }
}
