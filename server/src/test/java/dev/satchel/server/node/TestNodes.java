package dev.satchel.server.node;

import static java.util.Objects.requireNonNull;

import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** One PostgreSQL, one bucket, and as many servers on them as a test starts. */
final class TestNodes implements AutoCloseable {
    private final URI database = TestDatabases.freshPostgresql();
    private final S3Settings bucket;
    private final List<TestServer> started = new ArrayList<>();

    TestNodes() {
        this(newBucket());
    }

    /** With a bucket that the test reaches in its own way. */
    TestNodes(S3Settings bucket) {
        this.bucket = bucket;
    }

    static S3Settings newBucket() {
        return Store.SERVER.newBucket();
    }

    URI database() {
        return database;
    }

    S3Settings bucket() {
        return bucket;
    }

    /** The same ground for servers that are processes of their own. */
    Map<String, String> environment(URI sandbox) {
        Map<String, String> variables = new HashMap<>(environment());
        variables.put("SANDBOX_URL", sandbox.toString());
        return variables;
    }

    /** For servers with runners of their own. */
    Map<String, String> environment() {
        S3Settings.Credentials credentials = requireNonNull(bucket.credentials());
        return Map.of(
                "DATABASE_URL", database.toString(),
                "SATCHEL_S3_BUCKET", bucket.bucket(),
                "SATCHEL_S3_ENDPOINT", requireNonNull(bucket.endpoint()).toString(),
                "SATCHEL_S3_REGION", bucket.region(),
                "SATCHEL_S3_ACCESS_KEY", credentials.accessKey(),
                "SATCHEL_S3_SECRET_KEY", credentials.secretKey(),
                "SATCHEL_S3_PATH_STYLE", "true");
    }

    /** A server with a data folder of its own. */
    TestServer start(SandboxConfiguration sandbox) throws Exception {
        return start(sandbox, Clock.systemUTC());
    }

    TestServer start(SandboxConfiguration sandbox, LimitDefaults limits) throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        Configuration usual = TestServer.configuration(data, database, null);
        TestServer server =
                TestServer.start(
                        TestConfiguration.withLimits(configuration(sandbox, usual), limits),
                        Clock.systemUTC());
        started.add(server);
        return server;
    }

    TestServer start(SandboxConfiguration sandbox, Clock clock) throws Exception {
        return start(Files.createTempDirectory("satchel-test-"), sandbox, clock);
    }

    TestServer start(Path data, SandboxConfiguration sandbox, Clock clock) throws Exception {
        return start(sandbox, clock, TestServer.configuration(data, database, null));
    }

    /** A server that announces this address instead of its own. */
    TestServer startAt(URI announced, SandboxConfiguration sandbox) throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        Configuration usual = TestServer.configuration(data, database, null);
        Configuration.Network network = usual.network();
        return start(
                sandbox,
                Clock.systemUTC(),
                new Configuration(
                        new Configuration.Network(
                                network.host(),
                                network.port(),
                                network.publicUrl(),
                                announced,
                                network.apiKey(),
                                network.logFormat(),
                                network.http()),
                        usual.storage(),
                        usual.sandbox(),
                        usual.runs(),
                        usual.bags(),
                        usual.ages()));
    }

    /** From now on the others look for a server at another address. */
    void readdress(URI from, URI to) {
        try (Database opened = Databases.postgresql(database)) {
            opened.change(
                    tx ->
                            tx.update("UPDATE node SET address = :to WHERE address = :from")
                                    .bind("from", from.toString())
                                    .bind("to", to.toString())
                                    .execute());
        }
    }

    private TestServer start(SandboxConfiguration sandbox, Clock clock, Configuration usual)
            throws Exception {
        TestServer server = TestServer.start(configuration(sandbox, usual), clock);
        started.add(server);
        return server;
    }

    /** A server that is wired and does not listen yet. */
    Application prepare(Path data, SandboxConfiguration sandbox) throws Exception {
        Configuration usual = TestServer.configuration(data, database, null);
        return new Application(configuration(sandbox, usual), Clock.systemUTC(), Clock.systemUTC());
    }

    private Configuration configuration(SandboxConfiguration sandbox, Configuration usual) {
        return TestConfiguration.withBucket(TestConfiguration.withSandbox(usual, sandbox), bucket);
    }

    /** Makes a server that died twelve seconds ago the one that has a conversation's files. */
    void moveHome(String chat, String node, URI address) {
        try (Database opened = Databases.postgresql(database)) {
            opened.change(
                    tx -> {
                        tx.update(
                                        """
                                        INSERT INTO node (id, address, started_at, seen_at)
                                        SELECT :node, :address, MAX(seen_at), MAX(seen_at) - 12000
                                          FROM node
                                        """)
                                .bind("node", node)
                                .bind("address", address.toString())
                                .execute();
                        tx.update("UPDATE conversation SET workspace_node = :node WHERE id = :id")
                                .bind("node", node)
                                .bind("id", chat)
                                .execute();
                    });
        }
    }

    /** Calls that begin together; the first that fails fails all. */
    static <T> List<T> atOnce(Stream<Callable<T>> calls) throws Exception {
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> result : threads.invokeAll(calls.toList())) {
                results.add(result.get());
            }
        }
        return results;
    }

    @Override
    public void close() {
        started.forEach(TestServer::close);
    }

    /** Started on first use, stopped with the test JVM. */
    private static final class Store {
        static final S3ProxyProcess SERVER = start();

        private static S3ProxyProcess start() {
            try {
                return S3ProxyProcess.start(Files.createTempDirectory("satchel-test-"));
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
