package dev.satchel.server.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.credential.CredentialName;
import dev.satchel.server.credential.SealingKeyFile;
import dev.satchel.server.credential.SealingKeys;
import dev.satchel.server.credential.TestCredentials;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotateSecretKeyCommandTest {
    private static final CredentialName NAME = new CredentialName("github");
    private static final String OLD = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String NEW =
            Base64.getEncoder()
                    .encodeToString("32 bytes of a key for this test!".getBytes(US_ASCII));

    @TempDir Path data;

    @Test
    void theKeyOfTheDataFolderIsReplaced() throws Exception {
        try (TestServer server = TestServer.start(data, null, null)) {
            store(server);
            assertThat(rotate(Map.of())).as("while the server runs").isEqualTo(1);
        }
        String before = Files.readString(data.resolve("secret-key"));

        assertThat(rotate(Map.of())).isZero();

        assertThat(Files.readString(data.resolve("secret-key")))
                .hasSameSizeAs(before)
                .isNotEqualTo(before);
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            SealingKeys keys = SealingKeys.of(SealingKeyFile.in(data));
            assertThat(value(database, keys)).isEqualTo("s3cret");
        }
    }

    @Test
    void onPostgresqlTheFirstConfiguredKeyReplacesTheOthers() throws Exception {
        URI database = TestDatabases.freshPostgresql();
        try (TestServer server =
                TestServer.start(
                        TestConfiguration.withSecretKey(
                                TestServer.configuration(data, database, null), OLD),
                        Clock.systemUTC())) {
            store(server);
        }

        assertThat(rotate(Map.of("DATABASE_URL", database.toString()))).isEqualTo(1);
        assertThat(
                        rotate(
                                Map.of(
                                        "DATABASE_URL",
                                        database.toString(),
                                        "SATCHEL_SECRET_KEY",
                                        NEW + "," + OLD)))
                .isZero();

        try (Database open = Databases.postgresql(database)) {
            assertThat(value(open, SealingKeys.configured(NEW))).isEqualTo("s3cret");
        }
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThat(rotate(Map.of("SATCHEL_SECRET_KEY", "c2hvcnQ="))).isEqualTo(2);
    }

    private static void store(TestServer server) throws Exception {
        Map<String, String> body = Map.of("name", NAME.value(), "value", "s3cret");
        assertThat(server.post("/api/credentials", body).statusCode()).isEqualTo(201);
    }

    private static String value(Database database, SealingKeys keys) throws Exception {
        return TestCredentials.service(database, keys, Clock.systemUTC())
                .value(TenantId.DEFAULT, NAME)
                .value();
    }

    private int rotate(Map<String, String> variables) {
        return Main.run(variables, "rotate-secret-key", "--data", data.toString());
    }
}
