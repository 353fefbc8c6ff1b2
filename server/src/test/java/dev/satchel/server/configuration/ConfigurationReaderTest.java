package dev.satchel.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.user.oidc.OidcSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationReaderTest {
    @Test
    void withoutAnythingItIsTheEmbeddedDefault() throws Exception {
        Configuration configuration = read(Map.of(), Map.of());

        assertThat(configuration.network().host()).isEqualTo("127.0.0.1");
        assertThat(configuration.network().port()).isEqualTo(8080);
        assertThat(configuration.network().apiKey()).isNull();
        assertThat(configuration.storage())
                .isEqualTo(StorageConfiguration.local(Path.of("data").toAbsolutePath()));
        assertThat(configuration.sandbox()).isEqualTo(new SandboxConfiguration.Embedded(Map.of()));
        assertThat(configuration.runs().total()).isEqualTo(Duration.ofHours(8));
        assertThat(configuration.runs().replayTurns()).isEqualTo(20);
        assertThat(configuration.runs().maxRounds()).isEqualTo(100);
        assertThat(configuration.bags().maxFiles()).isEqualTo(10_000);
        assertThat(configuration.bags().maxOutputFiles()).isEqualTo(1_000);
    }

    @Test
    void aFlagWinsOverItsVariable() throws Exception {
        Configuration configuration =
                read(Map.of("--port", "1"), Map.of("SATCHEL_PORT", "2", "SATCHEL_HOST", "::1"));

        assertThat(configuration.network().port()).isEqualTo(1);
        assertThat(configuration.network().host()).isEqualTo("::1");
    }

    @Test
    void weAreReachedAtAnAddressThatCanBeCalled() throws Exception {
        assertThat(localUrl("127.0.0.1")).isEqualTo("http://127.0.0.1:80");
        assertThat(localUrl("0.0.0.0")).isEqualTo("http://127.0.0.1:80");
        assertThat(localUrl("::")).isEqualTo("http://[::1]:80");
        assertThat(localUrl("fe80::1")).isEqualTo("http://[fe80::1]:80");
        assertThat(localUrl("box.local")).isEqualTo("http://box.local:80");
    }

    @Test
    void providerOfSignInsNeedsASecureIssuerAndAClient() throws Exception {
        OidcSettings oidc =
                read(
                                Map.of(),
                                Map.of(
                                        "SATCHEL_OIDC_ISSUER",
                                        "https://login.example.com/",
                                        "SATCHEL_OIDC_CLIENT_ID",
                                        "satchel",
                                        "SATCHEL_OIDC_ALLOWED_DOMAINS",
                                        "Example.org, example.com"))
                        .oidc();
        assertThat(oidc)
                .isEqualTo(
                        new OidcSettings(
                                "https://login.example.com/",
                                "satchel",
                                null,
                                null,
                                List.of("example.org", "example.com"),
                                "login.example.com"));
        assertThat(problems(Map.of(), Map.of("SATCHEL_OIDC_CLIENT_ID", "satchel")))
                .contains(
                        "SATCHEL_OIDC_ISSUER and SATCHEL_OIDC_CLIENT_ID are needed for every"
                                + " SATCHEL_OIDC setting");
        assertThat(
                        problems(
                                Map.of(),
                                Map.of(
                                        "SATCHEL_OIDC_ISSUER",
                                        "http://login.example.com",
                                        "SATCHEL_OIDC_CLIENT_ID",
                                        "satchel")))
                .contains(
                        "SATCHEL_OIDC_ISSUER must be an address such as"
                                + " https://login.example.com/realms/main; without TLS it may be of"
                                + " this machine only");
    }

    @Test
    void containersNeedAnImageAndASocket() {
        assertThat(
                        problems(
                                Map.of(),
                                Map.of(
                                        "SATCHEL_RUNNER",
                                        "docker",
                                        "DOCKER_HOST",
                                        "tcp://engine:2375",
                                        "SANDBOX_URL",
                                        "http://elsewhere:8090")))
                .containsExactlyInAnyOrder(
                        "unknown option --colour",
                        "DOCKER_HOST must be a socket such as unix:///var/run/docker.sock",
                        "SANDBOX_URL and SATCHEL_RUNNER name two different runners; keep one",
                        "SATCHEL_SANDBOX_IMAGE is missing: the image that sandboxes are made of");
    }

    @Test
    void eachKindOfSandboxHasItsOwnSettings() throws Exception {
        Map<String, String> none = Map.of("SATCHEL_RUNNER", "none");
        assertThat(sandbox(none)).isEqualTo(new SandboxConfiguration.None());

        Map<String, String> remote =
                Map.of(
                        "SANDBOX_URL", "http://runner:8090/",
                        "SANDBOX_TOKEN", "token",
                        "SANDBOX_WORKSPACES_DIR", "/shared",
                        "SATCHEL_CALLBACK_URL", "http://server:8080");
        assertThat(sandbox(remote))
                .isEqualTo(
                        new SandboxConfiguration.Remote(
                                URI.create("http://runner:8090"),
                                new Secret("token"),
                                Path.of("/shared"),
                                URI.create("http://server:8080")));

        Map<String, String> docker =
                Map.of("SATCHEL_RUNNER", "docker", "SATCHEL_SANDBOX_IMAGE", "satchel:1");
        assertThat(sandbox(docker))
                .isEqualTo(
                        new SandboxConfiguration.Docker(
                                new SandboxConfiguration.DockerEngine(
                                        Path.of("/var/run/docker.sock"), "bridge", null, null),
                                "satchel:1",
                                null,
                                null,
                                docker));
    }

    @Test
    void podsAreCreatedOrClaimed() throws Exception {
        Map<String, String> created =
                Map.of(
                        "SATCHEL_RUNNER", "kubernetes",
                        "SATCHEL_SANDBOX_IMAGE", "satchel:1",
                        "SATCHEL_KUBERNETES_SECCOMP_PROFILE", "satchel.json",
                        "SATCHEL_KUBERNETES_WORKSPACES_CLAIM", "claim",
                        "SANDBOX_WORKSPACES_DIR", "/shared");
        assertThat(sandbox(created))
                .isEqualTo(
                        new SandboxConfiguration.Kubernetes(
                                null,
                                new SandboxConfiguration.Pods.Created(
                                        "satchel:1", null, "satchel.json"),
                                new SandboxConfiguration.Volume("claim", Path.of("/shared")),
                                null,
                                created));

        Map<String, String> claimed =
                Map.of(
                        "SATCHEL_RUNNER", "kubernetes",
                        "SATCHEL_KUBERNETES_NAMESPACE", "runs",
                        "SATCHEL_KUBERNETES_WARM_POOL", "pool",
                        "SANDBOX_TOKEN", "token");
        assertThat(sandbox(claimed))
                .isEqualTo(
                        new SandboxConfiguration.Kubernetes(
                                "runs",
                                new SandboxConfiguration.Pods.Claimed("pool", new Secret("token")),
                                null,
                                null,
                                claimed));
    }

    @Test
    void variablesOfAnEngineThatIsNotChosenAreIgnored() throws Exception {
        Map<String, String> variables =
                Map.of("DOCKER_HOST", "tcp://engine:2375", "SATCHEL_DOCKER_NETWORK", "none");

        assertThat(ConfigurationReader.read(Map.of(), List.of(), variables).unknownVariables())
                .isEmpty();
        assertThat(sandbox(variables)).isEqualTo(new SandboxConfiguration.Embedded(variables));
    }

    @Test
    void aBucketReplacesTheDirectoryOfObjects() throws Exception {
        Configuration configuration =
                read(
                        Map.of("--data", "/data"),
                        Map.of("SATCHEL_S3_BUCKET", "b", "SATCHEL_S3_ENDPOINT", "http://s3:9000"));

        assertThat(configuration.storage())
                .isEqualTo(
                        new StorageConfiguration(
                                Path.of("/data"),
                                new DatabaseConfiguration.Sqlite(Path.of("/data/satchel.db")),
                                new ObjectStoreConfiguration.S3(
                                        new S3Settings(
                                                "b",
                                                "us-east-1",
                                                URI.create("http://s3:9000"),
                                                false,
                                                true,
                                                null))));
    }

    @Test
    void aWarmPoolNeedsTheSecretOfItsRunners() {
        assertThat(
                        problems(
                                Map.of(),
                                Map.of(
                                        "SATCHEL_RUNNER",
                                        "kubernetes",
                                        "SATCHEL_KUBERNETES_WARM_POOL",
                                        "pool")))
                .containsExactlyInAnyOrder(
                        "unknown option --colour",
                        "SANDBOX_TOKEN is missing: the secret of the warm pool's runners");
    }

    @Test
    void everyProblemIsReportedAtOnceAndNamesItsVariable() {
        Map<String, String> variables =
                Map.of(
                        "SATCHEL_HOST", "not a host",
                        "SATCHEL_LOG_FORMAT", "xml",
                        "SANDBOX_URL", "ftp://x",
                        "SATCHEL_S3_ACCESS_KEY", "alone",
                        "SATCHEL_S3_PATH_STYLE", "yes",
                        "SATCHEL_MAX_FILE_BYTES", "0",
                        "REPLAY_TURN_LIMIT", "many");
        assertThat(problems(Map.of("--port", "70000", "--data", ""), variables))
                .containsExactlyInAnyOrder(
                        "unknown option --colour",
                        "--port must be a whole number from 0 to 65535, not \"70000\"",
                        "--data must be a folder, not \"\"",
                        "SATCHEL_HOST must be a host name or address, not \"not a host\"",
                        "SATCHEL_LOG_FORMAT must be one of text, json, not \"xml\"",
                        "SANDBOX_URL must be a URL such as http://host:port, not \"ftp://x\"",
                        "SATCHEL_S3_ACCESS_KEY and SATCHEL_S3_SECRET_KEY belong together",
                        "SATCHEL_S3_BUCKET is missing beside the other SATCHEL_S3 variables",
                        "SATCHEL_S3_PATH_STYLE must be true or false, not \"yes\"",
                        "SATCHEL_MAX_FILE_BYTES must be a whole number of at least 1, not \"0\"",
                        "REPLAY_TURN_LIMIT must be a whole number from 0 to 1000, not \"many\"");
    }

    @Test
    void aSecretMayComeFromAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("key"), "s3cret-of-16-or-more\n");

        Configuration configuration =
                read(Map.of(), Map.of("SATCHEL_API_KEY_FILE", file.toString()));

        assertThat(configuration.network().apiKey()).isEqualTo(new Secret("s3cret-of-16-or-more"));
    }

    @Test
    void aDatabaseMayHaveSeveralHosts() throws Exception {
        String url = "postgresql://me:s3cret@h1:5432,h2/x?targetServerType=primary";

        assertThat(read(Map.of(), Map.of("DATABASE_URL", url)).storage().database())
                .hasToString("postgresql://h1:5432,h2/x");
        assertThat(problems(Map.of(), Map.of("DATABASE_URL", "postgresql://me@/x")))
                .anyMatch(problem -> problem.startsWith("DATABASE_URL must be a URL"));
    }

    @Test
    void aSecretIsNeverRepeated() throws Exception {
        Map<String, String> wrong = Map.of("DATABASE_URL", "mysql://me:s3cret@host/x");
        assertThat(problems(Map.of(), wrong).toString()).doesNotContain("s3cret");

        Configuration configuration =
                read(
                        Map.of(),
                        Map.of(
                                "DATABASE_URL", "postgresql://me:s3cret@host:5432/x",
                                "SATCHEL_API_KEY", "s3cret-of-16-or-more",
                                "SANDBOX_TOKEN", "s3cret"));
        assertThat(configuration.toString())
                .contains("postgresql://host:5432/x")
                .doesNotContain("s3cret");
    }

    @Test
    void aSecretFileThatIsMissingOrAVariableGivenTwiceIsAProblem() {
        assertThat(
                        problems(
                                Map.of(),
                                Map.of(
                                        "SATCHEL_API_KEY", "x",
                                        "SATCHEL_API_KEY_FILE", "/y",
                                        "SANDBOX_TOKEN_FILE", "/nowhere")))
                .contains(
                        "SATCHEL_API_KEY and SATCHEL_API_KEY_FILE are both set; keep one",
                        "SANDBOX_TOKEN_FILE names a file that cannot be read: /nowhere");
    }

    @Test
    void aFixedKeyThatIsSoonGuessedIsRefused() throws Exception {
        assertThat(problems(Map.of(), Map.of("SATCHEL_API_KEY", "x".repeat(15))))
                .contains("SATCHEL_API_KEY is too easy to guess: it needs at least 16 characters");
        assertThat(read(Map.of(), Map.of("SATCHEL_API_KEY", "x".repeat(16))).network().apiKey())
                .isEqualTo(new Secret("x".repeat(16)));
    }

    @Test
    void misspeltVariablesOfOursAreNoticed() throws Exception {
        Map<String, String> variables =
                Map.of("SATCHEL_PROT", "1", "HOME", "/", "SATCHEL_HOST", "");

        assertThat(ConfigurationReader.read(Map.of(), List.of(), variables).unknownVariables())
                .containsExactly("SATCHEL_PROT");
    }

    private static SandboxConfiguration sandbox(Map<String, String> variables)
            throws ConfigurationException {
        return read(Map.of(), variables).sandbox();
    }

    private static String localUrl(String host) throws ConfigurationException {
        return read(Map.of("--host", host), Map.of()).network().localUrl(80).toString();
    }

    private static Configuration read(Map<String, String> flags, Map<String, String> variables)
            throws ConfigurationException {
        return ConfigurationReader.read(flags, List.of(), variables).configuration();
    }

    private static List<String> problems(Map<String, String> flags, Map<String, String> variables) {
        return assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ConfigurationReader.read(flags, List.of("--colour"), variables))
                .actual()
                .problems();
    }
}
