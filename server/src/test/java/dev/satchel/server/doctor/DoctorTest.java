package dev.satchel.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Json;
import dev.satchel.server.command.Main;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.sandbox.docker.PodmanService;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code satchel doctor} as an operator runs it. */
@Timeout(120)
class DoctorTest {
    @TempDir private Path data;

    @Test
    void aRootWithoutProgramsIsAProblem() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.put("SATCHEL_SANDBOX_ROOT", data.toString());

        Finding finding = SandboxCheck.check(variables).getFirst();

        assertThat(finding.level()).isEqualTo(Finding.Level.PROBLEM);
        assertThat(finding.detail()).contains("SATCHEL_SANDBOX_ROOT must be").endsWith("" + data);
    }

    @Test
    void aHealthyMachineHasNoProblems() throws Exception {
        try (TestServer server = TestServer.start(data, null, null)) {
            Outcome outcome = doctor(Map.of("SATCHEL_URL", server.url("").toString()));

            assertThat(outcome.code()).as(outcome.toString()).isZero();
            assertThat(outcome.levels())
                    .containsEntry("jdk", "ok")
                    .containsEntry("bubblewrap", "ok")
                    .containsKey("cgroups")
                    .containsKey("ripgrep")
                    .containsEntry("database", "ok")
                    .containsEntry("object store", "ok")
                    .containsEntry("model", "warning")
                    .containsEntry("server", "ok")
                    .containsEntry("proxy buffering", "ok");
        }
    }

    @Test
    void aProxyThatHoldsEventsBackIsFound() throws Exception {
        try (TestServer server = TestServer.start(data, null, null)) {
            HttpServer proxy = bufferingProxy(server.url(""));
            try {
                Outcome outcome = doctor(Map.of(), "--url", url(proxy));

                assertThat(outcome.code()).isEqualTo(1);
                assertThat(outcome.levels())
                        .containsEntry("server", "ok")
                        .containsEntry("proxy buffering", "problem");
            } finally {
                proxy.stop(0);
            }
        }
    }

    @Test
    void whatDoesNotAnswerIsAProblem() throws Exception {
        Outcome outcome =
                doctor(
                        Map.of(
                                "DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none",
                                "SATCHEL_S3_BUCKET", "none",
                                "SATCHEL_S3_ENDPOINT", "http://127.0.0.1:1",
                                "SATCHEL_S3_ACCESS_KEY", "a",
                                "SATCHEL_S3_SECRET_KEY", "b",
                                "OPENAI_BASE_URL", "http://127.0.0.1:1/v1"),
                        "--url",
                        "http://127.0.0.1:1");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.levels())
                .containsEntry("database", "problem")
                .containsEntry("object store", "problem")
                .containsEntry("model gpt-5-mini", "problem")
                .containsEntry("server", "warning");
    }

    @Test
    void aModelThatRefusesTheKeyIsToldFromOneThatTakesIt() throws Exception {
        HttpServer provider = provider("right");
        try {
            String base = url(provider) + "/v1";
            assertThat(model(base, "right")).isEqualTo("ok");
            assertThat(model(base, "wrong")).isEqualTo("problem");
            Outcome each = doctor(registry(base));
            assertThat(each.levels())
                    .containsEntry("model known", "ok")
                    .containsEntry("model dated", "ok")
                    .containsEntry("model misspelt", "problem")
                    .containsEntry("model keyless", "problem")
                    .containsEntry("model away", "problem");
            assertThat(each.toString())
                    .contains("gtp-5-mini", "is not in the list of models", "It has gpt-5-mini")
                    .contains("NO_SUCH_KEY is not set")
                    .contains("does not answer: start it")
                    .doesNotContain("right");
        } finally {
            provider.stop(0);
        }
    }

    /** Each has its own path and its own header for the key. */
    @Test
    void everyProviderIsAskedAsItsRunsAskIt() throws Exception {
        Map<String, String> lists =
                Map.of(
                        "/openai/v1/models Bearer aws", list("openai.gpt-oss-120b-1:0"),
                        "/azure/openai/v1/models azure", list("gpt-5-mini-2025-08-07"),
                        "/v1beta/openai/models Bearer google", list("models/gemini-2.5-flash"),
                        "/v1/models null", list("qwen3:latest"),
                        "/v1/models?limit=1000 claude", list("claude-sonnet-4-6"));
        HttpServer provider = providers(lists);
        try {
            String base = url(provider);
            Path file = data.resolve("models.json");
            Files.writeString(
                    file,
                    """
                    {"models":[
                      {"id":"bedrock","provider":"bedrock","name":"openai.gpt-oss-120b-1:0"},
                      {"id":"azure","provider":"azure-openai","name":"gpt-5-mini",
                       "baseUrl":"%1$s/azure/openai/v1"},
                      {"id":"gemini","provider":"gemini","name":"gemini-2.5-flash"},
                      {"id":"ollama","provider":"ollama","name":"qwen3","baseUrl":"%1$s"},
                      {"id":"claude","provider":"anthropic","name":"claude-sonnet-4-6",
                       "baseUrl":"%1$s"},
                      {"id":"none","provider":"gemini","name":"gemini-9"}
                    ]}
                    """
                            .formatted(base));
            Outcome outcome =
                    doctor(
                            Map.of(
                                    "SATCHEL_MODELS_FILE", file.toString(),
                                    "BEDROCK_BASE_URL", base,
                                    "GEMINI_BASE_URL", base + "/v1beta/openai",
                                    "AWS_BEARER_TOKEN_BEDROCK", "aws",
                                    "AZURE_OPENAI_API_KEY", "azure",
                                    "GEMINI_API_KEY", "google",
                                    "ANTHROPIC_API_KEY", "claude"));

            assertThat(outcome.levels())
                    .as(outcome.toString())
                    .containsEntry("model bedrock", "ok")
                    .containsEntry("model azure", "ok")
                    .containsEntry("model gemini", "ok")
                    .containsEntry("model ollama", "ok")
                    .containsEntry("model claude", "ok")
                    .containsEntry("model none", "problem");
        } finally {
            provider.stop(0);
        }
    }

    @Test
    void bedrockIsAskedInItsRegion() throws Exception {
        String bedrock = "{\"models\":[{\"id\":\"b\",\"provider\":\"bedrock\",\"name\":\"m\"}]}";
        Path file = Files.writeString(data.resolve("models.json"), bedrock);

        Outcome outcome =
                doctor(
                        Map.of(
                                "SATCHEL_MODELS_FILE", file.toString(),
                                "AWS_BEARER_TOKEN_BEDROCK", "wrong",
                                "AWS_REGION", "no-such-region"));

        assertThat(outcome.toString())
                .contains("m at bedrock-runtime.no-such-region.amazonaws.com");
    }

    @Test
    void postgresqlIsAskedAndLeftAsItIs() throws Exception {
        URI database = TestDatabases.freshPostgresql();

        Outcome outcome = doctor(Map.of("DATABASE_URL", database.toString()));

        assertThat(outcome.levels()).containsEntry("database", "ok");
        assertThat(outcome.toString()).doesNotContain("postgres:postgres@");
    }

    @Test
    void withoutBubblewrapItSaysWhatToInstall() throws Exception {
        Outcome outcome = doctor(Map.of("PATH", data.toString()));

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.toString()).contains("apt-get install bubblewrap");
    }

    @Test
    void anEngineIsAskedForTheImageOfSandboxes(@TempDir Path folder) throws Exception {
        PodmanService podman = PodmanService.start(folder);
        try {
            Path nothing = Files.write(folder.resolve("empty.tar"), new byte[1024]);
            podman.call("import", nothing.toString(), "localhost/there:1");

            assertThat(engine(podman.socket(), "localhost/there:1")).isEqualTo("ok");
            assertThat(engine(podman.socket(), "localhost/missing:1")).isEqualTo("problem");
        } finally {
            podman.stop();
        }
        assertThat(engine(folder.resolve("no-socket"), "localhost/there:1")).isEqualTo("problem");
    }

    private String engine(Path socket, String image) throws Exception {
        Map<String, String> variables =
                Map.of(
                        "SATCHEL_RUNNER",
                        "docker",
                        "DOCKER_HOST",
                        "unix://" + socket,
                        "SATCHEL_SANDBOX_IMAGE",
                        image);
        return doctor(variables).levels().getOrDefault("engine", "");
    }

    /** Variables with a file of five models. */
    private Map<String, String> registry(String base) throws IOException {
        Path file = data.resolve("models.json");
        Files.writeString(
                file,
                """
                {"models":[
                  {"id":"known","provider":"openai","name":"gpt-5-mini","baseUrl":"%1$s"},
                  {"id":"dated","provider":"openai","name":"gpt-5","baseUrl":"%1$s"},
                  {"id":"misspelt","provider":"openai","name":"gtp-5-mini","baseUrl":"%1$s"},
                  {"id":"keyless","provider":"openai","baseUrl":"%1$s","apiKeyEnv":"NO_SUCH_KEY"},
                  {"id":"away","provider":"openai-compatible","baseUrl":"http://127.0.0.1:9/v1"}
                ]}
                """
                        .formatted(base));
        return Map.of("SATCHEL_MODELS_FILE", file.toString(), "OPENAI_API_KEY", "right");
    }

    private String model(String base, String key) throws Exception {
        Map<String, String> variables = Map.of("OPENAI_BASE_URL", base, "OPENAI_API_KEY", key);
        return doctor(variables).levels().getOrDefault("model gpt-5-mini", "");
    }

    private record Outcome(int code, List<JsonNode> findings) {
        Map<String, String> levels() {
            Map<String, String> levels = new HashMap<>();
            findings.forEach(
                    finding ->
                            levels.put(
                                    finding.get("name").stringValue(),
                                    finding.get("level").stringValue()));
            return levels;
        }
    }

    private Outcome doctor(Map<String, String> variables, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "doctor",
                                "--json",
                                "--port",
                                "1",
                                "--data",
                                data.toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.contains("API_KEY"));
        builder.environment().putAll(variables);
        Path log = Files.createTempFile("doctor-", ".log");
        Process process = builder.redirectError(log.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<JsonNode> findings = output.lines().map(Json.MAPPER::readTree).toList();
        return new Outcome(process.waitFor(), findings);
    }

    /** Reads an answer to its end before it passes it on. */
    private static HttpServer bufferingProxy(URI behind) throws IOException {
        HttpClient client = CheckedHttpClient.create();
        return server(
                exchange -> {
                    URI target = URI.create(behind + exchange.getRequestURI().toString());
                    try {
                        HttpResponse<byte[]> answer =
                                client.send(
                                        HttpRequest.newBuilder(target).build(),
                                        BodyHandlers.ofByteArray());
                        exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
                        exchange.getResponseBody().write(answer.body());
                        exchange.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /** Accepts one key, and lists two models. */
    private static HttpServer provider(String key) throws IOException {
        return server(
                exchange -> {
                    String given = exchange.getRequestHeaders().getFirst("Authorization");
                    int status = ("Bearer " + key).equals(given) ? 200 : 401;
                    byte[] list =
                            "{\"data\":[{\"id\":\"gpt-5-mini\"},{\"id\":\"gpt-5-2025-08-07\"}]}"
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, list.length);
                    exchange.getResponseBody().write(list);
                    exchange.close();
                });
    }

    /** The answers by address and key; what it does not know is 404. */
    private static HttpServer providers(Map<String, String> lists) throws IOException {
        return server(
                exchange -> {
                    Headers headers = exchange.getRequestHeaders();
                    String key =
                            Stream.of("Authorization", "api-key", "x-api-key")
                                    .map(headers::getFirst)
                                    .filter(Objects::nonNull)
                                    .findFirst()
                                    .orElse("null");
                    String list = lists.get(exchange.getRequestURI() + " " + key);
                    byte[] body = (list == null ? "{}" : list).getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(list == null ? 404 : 200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
    }

    private static String list(String name) {
        return "{\"object\":\"list\",\"data\":[{\"id\":\"%s\",\"object\":\"model\"}]}"
                .formatted(name);
    }

    private static HttpServer server(HttpHandler handler) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }
}
