package dev.satchel.server.database;

import java.util.List;
import java.util.regex.Pattern;

/** Shows how SQLite executes a statement, to find those that read a whole table. */
public final class QueryPlans {
    private static final Pattern PARAMETER = Pattern.compile(":[a-zA-Z]\\w*");

    private QueryPlans() {}

    /** One line for each table, such as {@code SEARCH run USING INDEX run_by_lease}. */
    public static List<String> of(String sql) {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE)) {
            String explain = "EXPLAIN QUERY PLAN " + PARAMETER.matcher(sql).replaceAll("1");
            return database.read(
                    tx -> tx.query(explain).map((row, _) -> row.getString("detail")).list());
        }
    }
}
