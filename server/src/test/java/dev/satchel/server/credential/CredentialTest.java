package dev.satchel.server.credential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class CredentialTest {
    private static final String ALL = "/api/credentials";
    private static final String CANARY = "canary-5f1e8a7c";

    @TempDir Path data;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aCredentialIsStoredReplacedAndDeletedAndNeverReadBack(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect, SealingKey.random().encoded())) {
            HttpResponse<String> created = create(server, "github", CANARY);
            HttpResponse<String> taken = create(server, "github", "another");
            HttpResponse<String> replaced =
                    server.send("PUT", ALL + "/github", Map.of("value", CANARY + "2"));

            assertThat(created.statusCode()).isEqualTo(201);
            assertThat(taken.statusCode()).isEqualTo(409);
            assertThat(replaced.statusCode()).isEqualTo(200);
            JsonNode listed = server.getJson(ALL).get("credentials");
            assertThat(listed).hasSize(1);
            assertThat(listed.at("/0/name").stringValue()).isEqualTo("github");
            assertThat(listed.at("/0/kind").stringValue()).isEqualTo("value");
            assertThat(created.body() + taken.body() + replaced.body() + listed)
                    .doesNotContain(CANARY);
            assertThat(server.send("DELETE", ALL + "/github", "").statusCode()).isEqualTo(204);
            assertThat(server.send("DELETE", ALL + "/github", "").statusCode()).isEqualTo(404);
            assertThat(server.getJson(ALL).get("credentials")).isEmpty();
        }
    }

    @Test
    void theValueIsInNoFileOfTheServer() throws Exception {
        try (TestServer server = start(Dialect.SQLITE, null)) {
            create(server, "github", CANARY);
            assertNoFileContains(CANARY);
        }
        assertNoFileContains(CANARY);
    }

    @Test
    void anotherTenantNeitherSeesNorChangesIt() throws Exception {
        try (TestServer server = start(Dialect.SQLITE, null)) {
            create(server, "github", "mine");
            String stranger = server.keyOf("other");

            assertThat(server.sendAs(stranger, "GET", ALL).body())
                    .isEqualTo("{\"credentials\":[]}");
            assertThat(server.sendAs(stranger, "DELETE", ALL + "/github").statusCode())
                    .isEqualTo(404);
            assertThat(server.getJson(ALL).get("credentials")).hasSize(1);
        }
    }

    @Test
    void invalidNamesAndValuesAreRefusedWithTheNameOfTheField() throws Exception {
        try (TestServer server = start(Dialect.SQLITE, null)) {
            for (String name : List.of("", "Upper", "-first", "a b", "a/b", "x".repeat(65), "ü")) {
                HttpResponse<String> refused = create(server, name, "value");
                assertThat(refused.statusCode()).as(name).isEqualTo(400);
                assertThat(refused.body()).contains("name");
            }
            for (String value : List.of("", " ", "a\nb", "ü", "x".repeat(16_385))) {
                HttpResponse<String> refused = create(server, "github", value);
                assertThat(refused.statusCode()).as(value).isEqualTo(400);
                assertThat(refused.body()).contains("value");
            }
            assertThat(server.send("PUT", ALL + "/none", Map.of("value", "a")).statusCode())
                    .isEqualTo(404);
            assertThat(server.getJson(ALL).get("credentials")).isEmpty();
        }
    }

    @Test
    void serversOfOnePostgresqlNeedAConfiguredKey() throws Exception {
        try (TestServer server = start(Dialect.POSTGRESQL, null)) {
            HttpResponse<String> refused = create(server, "github", "value");

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("SATCHEL_SECRET_KEY");
        }
    }

    private TestServer start(Dialect dialect, @Nullable String key) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        Configuration plain = TestServer.configuration(data, database, null);
        return TestServer.start(
                key == null ? plain : TestConfiguration.withSecretKey(plain, key),
                Clock.systemUTC());
    }

    private static HttpResponse<String> create(TestServer server, String name, String value)
            throws Exception {
        return server.post(ALL, Map.of("name", name, "value", value));
    }

    private void assertNoFileContains(String text) throws Exception {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), ISO_8859_1).contains(text))
                        .as(file.toString())
                        .isFalse();
            }
        }
    }
}
