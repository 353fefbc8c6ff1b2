package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.ParsedSql;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlParametersTest {
    private final Handle handle = Jdbi.open("jdbc:sqlite::memory:");
    private final StatementContext context = handle.createQuery("SELECT 1").getContext();

    @AfterEach
    void close() {
        handle.close();
    }

    @Test
    void namesBecomeParametersInTheirOrder() {
        ParsedSql parsed = SqlParameters.parse("UPDATE t SET a = :a, b = :b_2 WHERE a = :a");

        assertThat(parsed.getSql()).isEqualTo("UPDATE t SET a = ?, b = ? WHERE a = ?");
        assertThat(parsed.getParameters().getParameterNames()).isEqualTo(List.of("a", "b_2", "a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 1",
                "",
                "SELECT * FROM t WHERE a=:a AND b IN (:__ids_0,:__ids_1)",
                "SELECT ':no' || :yes || 'it''s :no' FROM \"a:no\"",
                "SELECT :yes::text, x::bigint",
                "INSERT INTO t (a, b) VALUES (?, ?)",
                "SELECT '?', \"?\" FROM t /* ? */ WHERE a = ? -- ?",
                "SELECT a -- not :this\nFROM t WHERE a = :yes",
                "SELECT /* nor :this\n nor :that */ :yes FROM t",
                "INSERT INTO t (a) VALUES (:a)\nON CONFLICT (a) DO UPDATE SET a = excluded.a",
                "SELECT json -> 'key' ->> 'a:b' FROM t WHERE (a, b) < (:a, :b) AND c % 2 = 0",
            })
    void whatItFindsIsWhatJdbisOwnParserFinds(String sql) {
        assertThat(SqlParameters.parse(sql))
                .isEqualTo(new ColonPrefixSqlParser().parse(sql, context));
    }

    @Test
    void theSameTextIsReadOnce() {
        SqlParameters parameters = new SqlParameters();

        assertThat(parameters.parse("SELECT :a", context))
                .isSameAs(parameters.parse("SELECT :a", context));
    }
}
