package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.InvalidConfigurationException;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.FreePort;
import dev.satchel.server.testing.TestConfiguration;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationTest {
    private static final String FIXED = "a-key-of-the-operator";

    @TempDir private Path temporary;

    @Test
    void anEmptyFolderBecomesAWorkingServer() throws Exception {
        Path data = temporary.resolve("a/data");
        try (Application application = start(data, Map.of())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                    .isEqualTo("rwx------");
            String key = Files.readString(data.resolve("api-key")).strip();
            assertThat(get(application, "/readyz", "").statusCode()).isEqualTo(200);
            assertThat(get(application, "/api/me", key).body())
                    .startsWith("{\"workspaceId\":\"default\",\"userId\":\"owner\",");
            try (HttpClient client = CheckedHttpClient.create()) {
                HttpRequest login = HttpRequest.newBuilder(application.newLoginLink()).build();
                assertThat(client.send(login, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void theSameKeyWorksAfterARestart() throws Exception {
        start(temporary, Map.of()).close();
        String key = Files.readString(temporary.resolve("api-key")).strip();

        try (Application again = start(temporary, Map.of())) {
            assertThat(get(again, "/api/me", key).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aFixedKeyIsUsedAndNoneIsMade() throws Exception {
        try (Application application = start(temporary, Map.of("SATCHEL_API_KEY", FIXED))) {
            assertThat(get(application, "/api/me", FIXED).statusCode()).isEqualTo(200);
            assertThat(application.keyFile()).isEmpty();
            assertThat(temporary.resolve("api-key")).doesNotExist();
        }
    }

    @Test
    void aKeyThatIsNoLongerFixedOpensNothing() throws Exception {
        start(temporary, Map.of("SATCHEL_API_KEY", FIXED)).close();

        try (Application application = start(temporary, Map.of())) {
            assertThat(get(application, "/api/me", FIXED).statusCode()).isEqualTo(401);
        }
    }

    /** A container often cannot reach itself by the name that people type. */
    @Test
    void aRunnerOfOurOwnCallsBackWithoutTheDetourOfThePublicUrl() throws Exception {
        int port = FreePort.find();
        Map<String, String> variables =
                Map.of(
                        "SATCHEL_PORT",
                        Integer.toString(port),
                        "SATCHEL_PUBLIC_URL",
                        "http://satchel.invalid",
                        "SATCHEL_API_KEY",
                        FIXED,
                        "PATH",
                        System.getenv("PATH"));
        try (Application _ = start(temporary, variables);
                HttpClient client = CheckedHttpClient.create()) {
            HttpRequest turn =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:"
                                                    + port
                                                    + "/api/assistant/chat/stream"))
                            .header("Authorization", "Bearer " + FIXED)
                            .POST(BodyPublishers.ofString("{\"message\":\"/sh echo here\"}"))
                            .build();
            assertThat(client.send(turn, BodyHandlers.ofString()).body())
                    .contains("\"status\":\"succeeded\"}\n\n");
        }
    }

    @Test
    void itRunsOnPostgresqlWhenTheUrlSaysSo() throws Exception {
        String url = TestDatabases.freshPostgresql().toString();
        try (Application application = start(temporary, Map.of("DATABASE_URL", url))) {
            assertThat(get(application, "/readyz", "").statusCode()).isEqualTo(200);
            assertThat(temporary.resolve("satchel.db")).doesNotExist();
        }
    }

    @Test
    void withPodsItStartsBeforeTheirClusterAnswers() throws Exception {
        Map<String, String> variables =
                Map.of(
                        "SATCHEL_RUNNER",
                        "kubernetes",
                        "SATCHEL_SANDBOX_IMAGE",
                        "satchel",
                        "SATCHEL_KUBERNETES_NAMESPACE",
                        "agents",
                        "DATABASE_URL",
                        TestDatabases.freshPostgresql().toString());
        try (Application application = start(temporary, variables)) {
            assertThat(get(application, "/livez", "").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aSecondServerOnTheSameFolderIsRefused() throws Exception {
        try (Application _ = start(temporary, Map.of())) {
            assertThatThrownBy(() -> start(temporary, Map.of()))
                    .isInstanceOf(StartException.class)
                    .hasMessageStartingWith("another Satchel (process ")
                    .hasMessageEndingWith("uses the data folder " + temporary);
        }
    }

    @Test
    void aPortInUseIsNamedAndEverythingIsClosedAgain() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertThatThrownBy(() -> start(temporary, Map.of("SATCHEL_PORT", port)))
                    .isInstanceOf(StartException.class)
                    .hasMessage("port " + port + " is already in use: choose another with --port");
        }
        start(temporary, Map.of()).close(); // the folder is free again
    }

    @Test
    void aRunnerThatDoesNotStartIsToldAndEverythingIsClosedAgain() throws Exception {
        Path inTheWay = Files.createFile(temporary.resolve("runner"));

        assertThatThrownBy(() -> start(temporary, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("cannot start a runner");

        Files.delete(inTheWay);
        start(temporary, Map.of()).close();
    }

    @Test
    void evenWhenItFailsInAWayNobodyThoughtOf() throws Exception {
        Configuration plain =
                ConfigurationReader.read(
                                Map.of("--data", temporary.toString()),
                                List.of(),
                                Map.of("SATCHEL_PORT", "0"))
                        .configuration();
        Configuration broken =
                TestConfiguration.withSandbox(
                        plain,
                        new SandboxConfiguration.Embedded(Map.of("SATCHEL_MAX_RUNS", "many")));
        Application application = new Application(broken, Clock.systemUTC(), Clock.systemUTC());

        assertThatThrownBy(application::start).isInstanceOf(InvalidConfigurationException.class);

        start(temporary, Map.of()).close();
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamed() throws Exception {
        Path file = Files.createFile(temporary.resolve("file"));

        assertThatThrownBy(() -> start(file, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessage("the data folder " + file + " is a file");
        assertThatThrownBy(() -> start(file.resolve("below"), Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("cannot write to the data folder " + file);
    }

    @Test
    void aDatabaseOfANewerVersionIsRefused() throws Exception {
        start(temporary, Map.of()).close();
        String url = "jdbc:sqlite:" + temporary.resolve("satchel.db");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO schema_step VALUES (999, 'future', 999, 0)");
        }

        assertThatThrownBy(() -> start(temporary, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("the database is at schema step 999")
                .hasMessageContaining("start a newer Satchel");
    }

    @Test
    void whatIsNoDatabaseIsRefusedInOneLine() throws Exception {
        Files.writeString(temporary.resolve("satchel.db"), "rubbish ".repeat(100));

        assertThatThrownBy(() -> start(temporary, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("cannot open the database")
                .hasMessageNotContaining("\n");
    }

    private static Application start(Path data, Map<String, String> variables) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("SATCHEL_PORT", "0"));
        all.putAll(variables);
        Map<String, String> flags = Map.of("--data", data.toString());
        Application application =
                new Application(
                        ConfigurationReader.read(flags, List.of(), all).configuration(),
                        Clock.systemUTC(),
                        Clock.systemUTC());
        application.start();
        return application;
    }

    private static HttpResponse<String> get(Application application, String path, String key)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(application.publicUrl() + path));
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        try (HttpClient client = CheckedHttpClient.create()) {
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }
}
