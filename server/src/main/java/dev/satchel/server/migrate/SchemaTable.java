package dev.satchel.server.migrate;

import java.util.List;
import java.util.Set;

/** A table of the schema, and the tables whose rows must be there before its own. */
record SchemaTable(String name, List<String> columns, Set<String> needs) {
    SchemaTable {
        columns = List.copyOf(columns);
        needs = Set.copyOf(needs);
    }
}
