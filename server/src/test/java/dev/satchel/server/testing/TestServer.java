package dev.satchel.server.testing;

import dev.satchel.http.Route;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.protocol.Json;
import dev.satchel.server.application.Application;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.DatabaseConfiguration;
import dev.satchel.server.configuration.LogFormat;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.runlog.RunLogLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The whole server on a free port, and a client with its key. */
public final class TestServer implements AutoCloseable {
    public static final String KEY = "sk_satchel_test_key_of_the_default_tenant";

    private final Application application;
    private final HttpClient client = CheckedHttpClient.http11();

    private TestServer(Application application) {
        this.application = application;
    }

    public static TestServer start(@Nullable URI sandbox) throws Exception {
        return start(Files.createTempDirectory("satchel-test-"), null, sandbox);
    }

    public static TestServer start(Dialect dialect, @Nullable URI sandbox) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        return start(Files.createTempDirectory("satchel-test-"), database, sandbox);
    }

    public static TestServer start(Path data, @Nullable URI database, @Nullable URI sandbox)
            throws Exception {
        return start(configuration(data, database, sandbox), Clock.systemUTC());
    }

    /** With a model, so that runs can be continued; the sandbox decides what they do. */
    public static TestServer startWithModel(URI sandbox) throws Exception {
        return startWithModel(sandbox, RunLogLimits.standard());
    }

    public static TestServer startWithModel(URI sandbox, RunLogLimits log) throws Exception {
        ModelRegistry models =
                ModelsFileParser.parse(
                        """
                        {"models":[{"id":"scripted","provider":"anthropic","name":"claude-scripted"}]}
                        """,
                        new ArrayList<>());
        Configuration plain =
                configuration(Files.createTempDirectory("satchel-test-"), null, sandbox);
        Configuration limited = TestConfiguration.withLog(plain, log);
        return start(TestConfiguration.withModels(limited, models), Clock.systemUTC());
    }

    /** With an embedded runner and real sandboxes. */
    public static TestServer startWhole(Path data) throws Exception {
        return start(whole(data), Clock.systemUTC());
    }

    /** The configuration with an embedded runner. */
    public static Configuration whole(Path data) {
        Configuration plain = configuration(data, null, null);
        SandboxConfiguration embedded =
                new SandboxConfiguration.Embedded(
                        Map.of("PATH", System.getenv("PATH"), "HOME", data.toString()));
        return TestConfiguration.withSandbox(plain, embedded);
    }

    public static TestServer start(Configuration configuration, Clock clock) throws Exception {
        return start(configuration, clock, clock);
    }

    /** With a clock for timestamps and another for durations. */
    public static TestServer start(Configuration configuration, Clock clock, Clock steady)
            throws Exception {
        Application application = new Application(configuration, clock, steady);
        application.start();
        return new TestServer(application);
    }

    public static Configuration configuration(
            Path data, @Nullable URI database, @Nullable URI sandbox) {
        return new Configuration(
                new Configuration.Network(
                        "127.0.0.1",
                        0,
                        null,
                        null,
                        new Secret(KEY),
                        LogFormat.TEXT,
                        HttpOptions.STANDARD),
                new StorageConfiguration(
                        data,
                        database == null
                                ? DatabaseConfiguration.Sqlite.in(data)
                                : new DatabaseConfiguration.Postgresql(database),
                        ObjectStoreConfiguration.Local.in(data)),
                sandbox == null
                        ? new SandboxConfiguration.None()
                        : TestConfiguration.remote(sandbox),
                new Configuration.RunLimits(
                        Duration.ofHours(8),
                        Duration.ofMinutes(10),
                        RunLogLimits.standard(),
                        20,
                        100,
                        64,
                        Duration.ofMinutes(5),
                        Duration.ZERO),
                new BagLimits(10_000_000, 10, 20_000_000),
                Configuration.Ages.standard());
    }

    public URI url(String path) {
        return URI.create(application.publicUrl() + path);
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url(path)).header("Authorization", "Bearer " + KEY);
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }

    public JsonNode getJson(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = get(path);
        if (response.statusCode() != 200) {
            throw new AssertionError(
                    path + " answered " + response.statusCode() + " " + response.body());
        }
        return Json.MAPPER.readTree(response.body());
    }

    public HttpResponse<String> post(String path, Object body)
            throws IOException, InterruptedException {
        return send("POST", path, body);
    }

    public HttpResponse<String> send(String method, String path, Object body)
            throws IOException, InterruptedException {
        BodyPublisher json = BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body));
        return client.send(request(path).method(method, json).build(), BodyHandlers.ofString());
    }

    /** Sends a message and follows its events. */
    public Events turn(Map<String, ?> body) throws IOException, InterruptedException {
        return events(
                request("/api/assistant/chat/stream")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build());
    }

    public Events events(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        return new Events(response);
    }

    /** Uploads one file into a chat and returns it from the response. */
    public JsonNode upload(String chatId, String name, String content)
            throws IOException, InterruptedException {
        HttpResponse<String> response =
                send(
                        request("/api/assistant/chats/" + chatId + "/files")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file(name, content).publisher())
                                .build());
        if (response.statusCode() != 201) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return Json.MAPPER.readTree(response.body()).get("files").get(0);
    }

    public String newChat() throws IOException, InterruptedException {
        return Json.MAPPER
                .readTree(post("/api/assistant/chats", Map.of()).body())
                .get("id")
                .stringValue();
    }

    /** A new key of another tenant, made by the operator's. */
    public String keyOf(String tenant) throws IOException, InterruptedException {
        return Json.MAPPER
                .readTree(post("/api/keys", Map.of("name", "a test", "workspaceId", tenant)).body())
                .get("key")
                .stringValue();
    }

    /** Sends without a body, with another key than ours. */
    public HttpResponse<String> sendAs(String key, String method, String path)
            throws IOException, InterruptedException {
        return send(
                request(path)
                        .setHeader("Authorization", "Bearer " + key)
                        .method(method, BodyPublishers.noBody())
                        .build());
    }

    public List<Route> routes() {
        return application.routes();
    }

    /** What the server does by itself every few seconds or every hour, now. */
    public void sweep() {
        application.sweep();
    }

    /** Stops the server as SIGTERM does, while its clients still listen. */
    public void stop() {
        application.close();
    }

    @Override
    public void close() {
        client.shutdownNow();
        application.close();
    }

    /** An open stream of server-sent events, read one by one. */
    public static final class Events implements AutoCloseable {
        /** One event as it came over the wire. */
        public record Event(String id, JsonNode data) {
            public String type() {
                return data.get("type").stringValue();
            }
        }

        private final HttpResponse<InputStream> response;
        private final ApiContract.Response checked;
        private final boolean ofRun;

        Events(HttpResponse<InputStream> response) {
            this.response = response;
            this.checked = ApiContract.Response.of(response, null);
            this.ofRun = ApiContract.hasRunEvents(checked);
        }

        public int status() {
            return response.statusCode();
        }

        public HttpResponse<InputStream> response() {
            return response;
        }

        /** The next event, or empty when the stream has ended; comments are passed over. */
        public Optional<Event> next() throws IOException {
            String id = "";
            while (true) {
                Optional<String> line = line();
                if (line.isEmpty()) {
                    return Optional.empty();
                }
                if (line.get().startsWith("id: ")) {
                    id = line.get().substring(4);
                } else if (line.get().startsWith("data: ")) {
                    JsonNode data = Json.MAPPER.readTree(line.get().substring(6));
                    if (ofRun) {
                        ApiContract.checkRunEvent(checked, data);
                    }
                    return Optional.of(new Event(id, data));
                }
            }
        }

        public List<Event> rest() throws IOException {
            List<Event> events = new ArrayList<>();
            for (Optional<Event> event = next(); event.isPresent(); event = next()) {
                events.add(event.get());
            }
            return events;
        }

        public Optional<String> line() throws IOException {
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
            for (int b = response.body().read(); b >= 0; b = response.body().read()) {
                if (b == '\n') {
                    return Optional.of(bytes.toString(java.nio.charset.StandardCharsets.UTF_8));
                }
                bytes.write(b);
            }
            return Optional.empty();
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }
}
