package dev.satchel.server.migrate;

import java.util.List;
import java.util.Set;

/** A table of the schema, and the tables to which its foreign keys refer. */
record SchemaTable(String name, List<String> columns, Set<String> references) {
    SchemaTable {
        columns = List.copyOf(columns);
        references = Set.copyOf(references);
    }
}
