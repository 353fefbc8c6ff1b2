package dev.satchel.server.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A table of the schema, and the tables to which its foreign keys refer.
 *
 * @param key the columns of the primary key
 */
public record SchemaTable(
        String name, List<String> columns, List<String> key, Set<String> references) {
    private static final String TIME = "created_at";

    public SchemaTable {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        references = Set.copyOf(references);
    }

    /** New rows come last, if the table has a time for them. */
    List<String> order() {
        List<String> order = new ArrayList<>();
        if (columns.contains(TIME)) {
            order.add(TIME);
        }
        key.stream().filter(column -> !column.equals(TIME)).forEach(order::add);
        return order;
    }
}
