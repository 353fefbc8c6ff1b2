package dev.satchel.server.session;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server whose runner shares its disk, with one agent saved. */
final class SharedDisk implements AutoCloseable {
    /** More than a run is told of. */
    private static final int MAX_BAG_FILES = 200;

    private final Path data;
    private final @Nullable URI database;
    private final Path workspaces;
    private final ScriptedSandbox sandbox;
    private final TestServer server;

    private SharedDisk(
            Path data,
            @Nullable URI database,
            Path workspaces,
            ScriptedSandbox sandbox,
            TestServer server) {
        this.data = data;
        this.database = database;
        this.workspaces = workspaces;
        this.sandbox = sandbox;
        this.server = server;
    }

    static SharedDisk start() throws Exception {
        return start(Dialect.SQLITE);
    }

    static SharedDisk start(Dialect dialect) throws Exception {
        Duration idle = Configuration.Ages.standard().idleWorkspace();
        return start(dialect, idle, Clock.systemUTC());
    }

    /** With idle workspaces evicted after this time. */
    static SharedDisk start(Duration idle) throws Exception {
        return start(idle, Clock.systemUTC());
    }

    static SharedDisk start(Duration idle, Clock clock) throws Exception {
        return start(Dialect.SQLITE, idle, clock);
    }

    private static SharedDisk start(Dialect dialect, Duration idle, Clock clock) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        SharedDisk disk = start(Files.createTempDirectory("satchel-test-"), database, idle, clock);
        disk.server.post("/api/agents", Map.of("name", "qa-bot", "systemPrompt", "Be short."));
        return disk;
    }

    /** Ends the server as SIGTERM does and starts another on the same folders. */
    SharedDisk restarted() throws Exception {
        server.stop();
        close();
        Duration idle = Configuration.Ages.standard().idleWorkspace();
        return start(data, database, idle, Clock.systemUTC());
    }

    private static SharedDisk start(Path data, @Nullable URI database, Duration idle, Clock clock)
            throws Exception {
        Path workspaces = Files.createDirectories(data.resolve("shared/workspaces"));
        ScriptedSandbox sandbox = new ScriptedSandbox();
        Configuration usual =
                TestConfiguration.withBags(
                        TestServer.configuration(data, database, sandbox.url()),
                        new BagLimits(10_000_000, MAX_BAG_FILES, 20_000_000));
        Configuration shared =
                TestConfiguration.withSandbox(
                        usual, TestConfiguration.remote(sandbox.url(), workspaces));
        TestServer server =
                TestServer.start(TestConfiguration.withIdleWorkspace(shared, idle), clock);
        return new SharedDisk(data, database, workspaces, sandbox, server);
    }

    TestServer server() {
        return server;
    }

    ScriptedSandbox sandbox() {
        return sandbox;
    }

    JsonNode create(Map<String, ?> more) throws Exception {
        Map<String, Object> body = new java.util.HashMap<>(more);
        body.put("agent", "qa-bot");
        HttpResponse<String> created = server.post("/api/sessions", body);
        if (created.statusCode() != 201) {
            throw new AssertionError(created.body());
        }
        return Json.MAPPER.readTree(created.body()).get("session");
    }

    String create() throws Exception {
        return create(Map.of()).get("id").stringValue();
    }

    HttpResponse<String> post(String session, String verb) throws Exception {
        return server.send(
                server.request("/api/sessions/" + session + "/" + verb)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.noBody())
                        .build());
    }

    HttpResponse<String> end(String session) throws Exception {
        return server.send(server.request("/api/sessions/" + session).DELETE().build());
    }

    TestServer.Events send(String session, Object content) throws Exception {
        return server.events(
                server.request("/api/sessions/" + session + "/messages")
                        .POST(
                                BodyPublishers.ofString(
                                        Json.MAPPER.writeValueAsString(Map.of("content", content))))
                        .build());
    }

    /** A whole turn whose agent writes one file. */
    void turn(String session, String path, String content) throws Exception {
        try (TestServer.Events events = send(session, "write " + path)) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            write(session, path, content);
            run.answers("done");
            while (events.line().isPresent()) {}
        }
    }

    /** The data directory of the server. */
    Path data() {
        return data;
    }

    Path workspace(String session) {
        return workspaces.resolve(session);
    }

    /** As if the disk had been replaced: the next turn restores the newest snapshot. */
    void removeWorkspace(String session) throws IOException {
        try (SafeDirectory all = SafeDirectory.open(workspaces)) {
            all.deleteTree(new WorkspacePath(session));
        }
    }

    void write(String session, String path, String content) throws IOException {
        Path file = workspace(session).resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    HttpResponse<String> file(String session, String path) throws Exception {
        return server.get("/api/sessions/" + session + "/files/" + path);
    }

    @Override
    public void close() {
        server.close();
        sandbox.close();
    }
}
