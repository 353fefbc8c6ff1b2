package dev.satchel.server.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database from any earlier schema to the current one: numbered steps, each applied once,
 * all in one transaction. A database that a newer version has only added to is accepted, so that
 * the version before runs beside the new one during an upgrade.
 */
public final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    /** In order. A released step never changes; a later change of the schema is a new step. */
    static final List<String> ALL =
            List.of(
                    "0001-baseline",
                    "0002-usage",
                    "0003-search",
                    "0004-people",
                    "0005-branches",
                    "0006-restore",
                    "0007-fair-shares",
                    "0008-openai",
                    "0009-sign-in",
                    "0010-session-config",
                    "0011-tus",
                    "0012-backup",
                    "0013-search-people",
                    "0014-rights",
                    "0015-erasure",
                    "0016-chat-marks",
                    "0017-shares",
                    "0018-identities");

    private static final String MAKE_TABLE =
            """
            CREATE TABLE IF NOT EXISTS schema_step (
                number BIGINT PRIMARY KEY,
                name TEXT NOT NULL,
                runs_with BIGINT NOT NULL,
                applied_at BIGINT NOT NULL)
            """;

    private static final String APPLIED =
            """
            SELECT COALESCE(MAX(number), 0) AS number, COALESCE(MAX(runs_with), 0) AS runs_with
              FROM schema_step
            """;

    private static final String RECORD =
            """
            INSERT INTO schema_step (number, name, runs_with, applied_at)
            VALUES (:number, :name, :runsWith, :now)
            """;

    /** Names the oldest step that a server must know to run after this one is applied. */
    private static final Pattern RUNS_WITH = Pattern.compile("(?m)^-- Runs with step (\\d+)");

    private static final String LATEST = "SELECT COALESCE(MAX(number), 0) FROM schema_step";

    private final List<String> steps;

    Migrations(List<String> steps) {
        this.steps = List.copyOf(steps);
    }

    /** The newest step that this version knows. */
    public static int newest() {
        return ALL.size();
    }

    /** The newest step that was applied to a database; 0 when there is none. */
    public static int applied(Database database) {
        return database.read(tx -> tx.query(LATEST).mapTo(Integer.class).one());
    }

    void apply(Database database) {
        database.writeWithoutTimeLimit(
                tx -> {
                    tx.query(database.dialect().migrationLock()).mapToMap().list();
                    tx.plain(MAKE_TABLE);
                    Applied applied = applied(tx);
                    if (applied.number() > steps.size()) {
                        requireCompatible(applied);
                    }
                    for (int next = (int) applied.number() + 1; next <= steps.size(); next++) {
                        apply(tx, next, steps.get(next - 1), database.dialect());
                    }
                    return applied;
                });
    }

    /** The last step, and the one that a server must know at least. */
    private record Applied(long number, long runsWith) {}

    private static Applied applied(Transaction tx) {
        return tx.query(APPLIED)
                .map((row, _) -> new Applied(row.getLong("number"), row.getLong("runs_with")))
                .one();
    }

    /** A newer version has only added to the schema, or has changed what this one needs. */
    private void requireCompatible(Applied applied) {
        if (applied.runsWith() > steps.size()) {
            throw new NewerDatabaseException(applied.number(), steps.size());
        }
        LOG.warn(
                "the database has the schema of a newer version, this one runs beside it"
                        + " schemaStep={} known={}",
                applied.number(),
                steps.size());
    }

    private static void apply(Transaction tx, int number, String name, Dialect dialect) {
        String step = read(name, dialect);
        for (String statement : step.split(";\n\n", -1)) {
            if (!statement.isBlank()) {
                tx.plain(statement);
            }
        }
        tx.update(RECORD)
                .bind("number", number)
                .bind("name", name)
                .bind("runsWith", runsWith(step, number))
                .bind("now", System.currentTimeMillis())
                .execute();
    }

    /** Without a line that says so, no server runs that does not know the step. */
    private static long runsWith(String step, int number) {
        Matcher line = RUNS_WITH.matcher(step);
        return line.find() ? Long.parseLong(line.group(1)) : number;
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
