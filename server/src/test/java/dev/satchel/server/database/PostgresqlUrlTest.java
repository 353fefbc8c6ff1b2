package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresqlUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://host/name",
                "postgresql://user:secret@host:5432/name",
                "postgresql://user@h1,h2/name",
                "postgresql://user:p%40ss@h1:5432,h2:5433/name?targetServerType=primary",
                "postgresql://my_database:5432/name",
                "postgresql://[::1]:5432/name"
            })
    void oneHostOrSeveralAreAccepted(String url) {
        assertThat(PostgresqlUrl.isValid(URI.create(url))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"postgresql:///name", "postgresql://user@/name", "postgresql://h1,,h2/n"})
    void aUrlWithoutAHostIsNot(String url) {
        assertThat(PostgresqlUrl.isValid(URI.create(url))).isFalse();
    }

    @Test
    void thePartsAreForTheDriver() {
        PostgresqlUrl url =
                new PostgresqlUrl(
                        URI.create("postgres://me%40x:a%3Ab+c:d@h1:1,h2:2/name?socketTimeout=60"));

        assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://h1:1,h2:2/name?socketTimeout=60");
        assertThat(url.user()).contains("me@x");
        assertThat(url.password()).contains("a:b+c:d");
        assertThat(url.socketTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(url.defaults()).containsEntry("targetServerType", "primary");
        assertThat(url).hasToString("postgresql://h1:1,h2:2/name");
    }

    @Test
    void theHostThatAnswersIsUsed() {
        URI one = TestDatabases.freshPostgresql();
        URI two =
                URI.create(
                        "postgresql://%s@localhost:1,localhost:%d%s?targetServerType=primary"
                                .formatted(one.getUserInfo(), one.getPort(), one.getPath()));

        try (Database database = Databases.postgresql(two)) {
            assertThat(show(database, "transaction_read_only")).isEqualTo("off");
        }
    }

    /** What the driver and the server were told, and that a migration is not limited. */
    @Test
    void aSilentConnectionHasLimits() {
        try (Database database = TestDatabases.fresh(Dialect.POSTGRESQL)) {
            assertThat(show(database, "statement_timeout")).isEqualTo("9s");
            assertThat(show(database, "idle_in_transaction_session_timeout")).isEqualTo("20s");
            String lifted =
                    database.writeWithoutTimeLimit(
                            tx -> tx.query("SHOW statement_timeout").mapTo(String.class).one());
            assertThat(lifted).isEqualTo("0");
            assertThat(show(database, "statement_timeout")).isEqualTo("9s");
        }
    }

    private static String show(Database database, String setting) {
        return database.read(tx -> tx.query("SHOW " + setting).mapTo(String.class).one());
    }
}
