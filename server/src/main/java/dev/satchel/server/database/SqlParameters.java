package dev.satchel.server.database;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Finds a statement's parameters, {@code :names} or question marks. Jdbi's own parser runs a
 * grammar that it learns anew in each process: an eighth of what the processor does for a start,
 * and more with each first use of a statement. Ours are all written here, so a pattern does.
 */
final class SqlParameters implements SqlParser {
    /** Ends what comes from lists of varying length; far more than we have written. */
    private static final int MOST_KNOWN = 2_000;

    /** What may contain a colon or a mark that means nothing, then what means something. */
    private static final Pattern PARTS =
            Pattern.compile(
                    "'[^']*+'|\"[^\"]*+\"|--[^\n]*+|/\\*(?s:.*?)\\*/|::"
                            + "|:([A-Za-z_][A-Za-z0-9_]*+)|(\\?)");

    private final Map<String, ParsedSql> known = new ConcurrentHashMap<>();

    @Override
    public ParsedSql parse(String sql, StatementContext context) {
        ParsedSql parsed = known.get(sql);
        if (parsed == null) {
            parsed = parse(sql);
            if (known.size() < MOST_KNOWN) {
                known.put(sql, parsed);
            }
        }
        return parsed;
    }

    @Override
    public String nameParameter(String name, StatementContext context) {
        return ":" + name;
    }

    static ParsedSql parse(String sql) {
        ParsedSql.Builder parsed = ParsedSql.builder();
        Matcher parts = PARTS.matcher(sql);
        int told = 0;
        while (parts.find()) {
            String name = parts.group(1);
            String mark = parts.group(2);
            if (name == null && mark == null) {
                continue;
            }
            parsed.append(sql.substring(told, parts.start()));
            if (name == null) {
                parsed.appendPositionalParameter();
            } else {
                parsed.appendNamedParameter(name);
            }
            told = parts.end();
        }
        return parsed.append(sql.substring(told)).build();
    }
}
