package dev.satchel.server.database;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Finds the parameters of a statement, {@code :names} or question marks. Jdbi's own parser is an
 * ANTLR grammar that every process has to warm up, which takes an eighth of the processor time of a
 * start. All statements are constants of this program, so a pattern is enough.
 */
final class SqlParameters implements SqlParser {
    /** Limits the cache: statements with lists have many variants. */
    private static final int CACHE_LIMIT = 2_000;

    /** Literals and comments, which may contain colons, then parameters. */
    private static final Pattern PARTS =
            Pattern.compile(
                    "'[^']*+'|\"[^\"]*+\"|--[^\n]*+|/\\*(?s:.*?)\\*/|::"
                            + "|:([A-Za-z_][A-Za-z0-9_]*+)|(\\?)");

    private final Map<String, ParsedSql> cache = new ConcurrentHashMap<>();

    @Override
    public ParsedSql parse(String sql, StatementContext context) {
        ParsedSql parsed = cache.get(sql);
        if (parsed == null) {
            parsed = parse(sql);
            if (cache.size() < CACHE_LIMIT) {
                cache.put(sql, parsed);
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
        int copied = 0;
        while (parts.find()) {
            String name = parts.group(1);
            String question = parts.group(2);
            if (name == null && question == null) {
                continue;
            }
            parsed.append(sql.substring(copied, parts.start()));
            if (name == null) {
                parsed.appendPositionalParameter();
            } else {
                parsed.appendNamedParameter(name);
            }
            copied = parts.end();
        }
        return parsed.append(sql.substring(copied)).build();
    }
}
