package dev.satchel.server.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings a database from any earlier schema to the current one: numbered steps, each applied once,
 * all in one transaction.
 */
public final class Migrations {
    /** In order. A released step never changes; a later change of the schema is a new step. */
    static final List<String> ALL = List.of("0001-baseline", "0002-usage");

    private static final String MAKE_TABLE =
            """
            CREATE TABLE IF NOT EXISTS schema_step (
                number BIGINT PRIMARY KEY,
                name TEXT NOT NULL,
                applied_at BIGINT NOT NULL)
            """;

    private static final String APPLIED = "SELECT COALESCE(MAX(number), 0) FROM schema_step";

    private static final String RECORD =
            "INSERT INTO schema_step (number, name, applied_at) VALUES (:number, :name, :now)";

    private final List<String> steps;

    Migrations(List<String> steps) {
        this.steps = List.copyOf(steps);
    }

    void apply(Database database) {
        database.writeWithoutTimeLimit(
                tx -> {
                    tx.query(database.dialect().migrationLock()).mapToMap().list();
                    tx.plain(MAKE_TABLE);
                    long applied = tx.query(APPLIED).mapTo(Long.class).one();
                    if (applied > steps.size()) {
                        throw new NewerDatabaseException(applied, steps.size());
                    }
                    for (int number = (int) applied + 1; number <= steps.size(); number++) {
                        apply(tx, number, steps.get(number - 1), database.dialect());
                    }
                    return applied;
                });
    }

    private static void apply(Transaction tx, int number, String name, Dialect dialect) {
        for (String statement : read(name, dialect).split(";\n\n", -1)) {
            if (!statement.isBlank()) {
                tx.plain(statement);
            }
        }
        tx.update(RECORD)
                .bind("number", number)
                .bind("name", name)
                .bind("now", System.currentTimeMillis())
                .execute();
    }

    /** A step has a file for all databases, one for each, or both. */
    private static String read(String name, Dialect dialect) {
        String ofDialect = name + "." + dialect.name().toLowerCase(Locale.ROOT);
        String statements =
                Stream.of(name, ofDialect)
                        .flatMap(file -> find(file).stream())
                        .collect(Collectors.joining("\n"));
        if (statements.isEmpty()) {
            throw new IllegalStateException("no migration " + name);
        }
        return statements;
    }

    private static Optional<String> find(String name) {
        String resource = "/migrations/" + name + ".sql";
        try (InputStream in = Migrations.class.getResourceAsStream(resource)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
