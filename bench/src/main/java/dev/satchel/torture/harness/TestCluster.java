package dev.satchel.torture.harness;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Servers on one PostgreSQL and one bucket, each with its own way to the database, which can fail
 * alone. Each has its own runner and disk.
 */
public final class TestCluster implements AutoCloseable {
    private final PostgresProcess postgres;
    private final ObjectStoreProcess objects;
    private final List<FaultProxy> databases = new ArrayList<>();
    private final List<ServerUnderTest> servers = new ArrayList<>();

    private TestCluster(PostgresProcess postgres, ObjectStoreProcess objects) {
        this.postgres = postgres;
        this.objects = objects;
    }

    /** Starts all servers. */
    public static TestCluster start(ScenarioContext context, int size) throws Exception {
        return start(context, size, Map.of());
    }

    /** Starts all servers, with additional variables. */
    public static TestCluster start(
            ScenarioContext context, int size, Map<String, String> variables) throws Exception {
        TestCluster cluster =
                new TestCluster(PostgresProcess.start(context), ObjectStoreProcess.start(context));
        try {
            for (int i = 0; i < size; i++) {
                cluster.add(cluster.newServer(context, variables)).start();
            }
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    /** Another server, which is not started yet. */
    public ServerUnderTest add(ScenarioContext context) throws IOException {
        return add(newServer(context, Map.of()));
    }

    /** Another server with a clock whose offset in milliseconds is in a file. */
    public ServerUnderTest addWithClock(ScenarioContext context, Path offset) throws IOException {
        return add(newServer(context, Map.of(), MovableClockServer.option(offset)));
    }

    /** A server that is no part of the cluster yet, and announces this address. */
    public ServerUnderTest newServer(ScenarioContext context, URI address) throws IOException {
        return newServer(context, Map.of("SATCHEL_NODE_URL", address.toString()));
    }

    private ServerUnderTest newServer(
            ScenarioContext context, Map<String, String> settings, String... options)
            throws IOException {
        FaultProxy database = postgres.openProxy(context);
        databases.add(database);
        Map<String, String> variables = new HashMap<>(objects.variables());
        // the proxy recognises a COMMIT by its text, which prepared statements do not repeat
        variables.put("DATABASE_URL", PostgresProcess.url(database) + "?prepareThreshold=0");
        variables.putAll(settings);
        Path folder = context.createDirectory("server");
        return new ServerUnderTest(folder, folder.resolve("data"), variables, options);
    }

    private ServerUnderTest add(ServerUnderTest server) {
        servers.add(server);
        return server;
    }

    public List<ServerUnderTest> servers() {
        return List.copyOf(servers);
    }

    /** The way of each server to the database. */
    public List<FaultProxy> databases() {
        return List.copyOf(databases);
    }

    public FaultProxy objects() {
        return objects.proxy();
    }

    /** Clients of any server; one that is down is tried as well. */
    public Supplier<TestClient> clients(Random random) {
        Random own = new Random(random.nextLong());
        return () -> servers.get(own.nextInt(servers.size())).client();
    }

    /** Ends all faults of connections. */
    public void heal() {
        databases.forEach(proxy -> proxy.become(FaultProxy.Mode.PASS));
        objects.proxy().become(FaultProxy.Mode.PASS);
    }

    /** Checks through one server, and what all of them have left. */
    public void check(ScenarioContext context, AcknowledgedWrites writes) throws Exception {
        ServerUnderTest last = servers.getFirst();
        try (TestClient client = last.client()) {
            InvariantChecks checks = new InvariantChecks(context.counts());
            checks.checkAcknowledged(client, writes);
            checks.checkUsable(client, writes);
        }
        for (ServerUnderTest server : servers) {
            server.stop();
        }
        LeftoverChecks.check(last);
        context.counts().add("sweeps that left nothing behind");
    }

    @Override
    public void close() throws IOException {
        servers.forEach(ServerUnderTest::close);
        for (FaultProxy database : databases) {
            database.close();
        }
        objects.close();
        postgres.close();
    }
}
