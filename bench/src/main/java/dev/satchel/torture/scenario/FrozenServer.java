package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ObjectStoreProcess;
import dev.satchel.torture.harness.PostgresProcess;
import dev.satchel.torture.harness.RunnerProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * A server that is stopped, or whose connections to the database are silent, for longer than its
 * leases while another takes over its conversation. When it continues, nothing that it still writes
 * may be accepted.
 */
public final class FrozenServer implements Scenario {
    /** Longer than a lease. */
    private static final Duration FROZEN = Duration.ofSeconds(33);

    private final boolean silentDatabase;

    public FrozenServer(boolean silentDatabase) {
        this.silentDatabase = silentDatabase;
    }

    @Override
    public String name() {
        return silentDatabase ? "silent-database" : "frozen-server";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        Path second = context.createDirectory("other");
        try (PostgresProcess postgres = PostgresProcess.start(context);
                FaultProxy proxy = postgres.openProxy(context);
                ObjectStoreProcess objects = ObjectStoreProcess.start(context);
                RunnerProcess runner = new RunnerProcess(folder)) {
            runner.start();
            Map<String, String> variables = new HashMap<>(objects.variables());
            variables.put("DATABASE_URL", PostgresProcess.url(proxy).toString());
            variables.put("SANDBOX_URL", runner.url().toString());
            variables.put("SANDBOX_WORKSPACES_DIR", runner.workspaces().toString());
            Map<String, String> ofOther = new HashMap<>(variables);
            ofOther.put("DATABASE_URL", postgres.url().toString());
            try (ServerUnderTest frozen =
                            new ServerUnderTest(folder, folder.resolve("data"), variables);
                    ServerUnderTest other =
                            new ServerUnderTest(second, second.resolve("data"), ofOther)) {
                frozen.start();
                other.start();
                String chat = beginTurn(frozen, writes);
                if (silentDatabase) {
                    proxy.become(FaultProxy.Mode.SILENT);
                    context.counts().add("databases silent");
                    awaitUnready(frozen);
                } else {
                    frozen.freeze();
                    context.counts().add("servers frozen");
                }
                if (context.brief()) {
                    postgres.execute("UPDATE run SET lease_until = 0"); // as if it had been so long
                } else {
                    Thread.sleep(FROZEN);
                }
                JsonNode after = takeOver(other, chat, writes, context);
                if (silentDatabase) {
                    proxy.become(FaultProxy.Mode.PASS);
                } else {
                    frozen.thaw();
                }
                FaultTiming.await(
                        () -> Files.readString(frozen.log()).contains("run lost"),
                        "the frozen server never noticed what it had missed");
                requireSame(other, chat, after);
                frozen.stop();
                new InvariantChecks(context.counts()).check(other, writes);
            }
        }
    }

    /** Returns the chat of a turn that runs for a long time. */
    private static String beginTurn(ServerUnderTest server, AcknowledgedWrites writes)
            throws Exception {
        TestClient client = server.client();
        String chat = client.newChat();
        writes.chat(chat);
        String message = UUID.randomUUID().toString();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (client) {
                                client.turn(
                                        chat,
                                        message,
                                        "/sleep 5\n/sh echo late > late.txt\n/sleep 300",
                                        _ -> writes.message(chat, message));
                            } catch (Exception e) {
                                // the server is frozen, later on it ends
                            }
                        });
        FaultTiming.await(() -> !writes.messages().isEmpty(), "the turn did not begin");
        return chat;
    }

    private static void awaitUnready(ServerUnderTest frozen) throws Exception {
        try (TestClient client = frozen.client()) {
            FaultTiming.await(
                    () -> client.status("/readyz") == 503,
                    "a server without a database says that it is ready");
        }
    }

    private static JsonNode takeOver(
            ServerUnderTest other, String chat, AcknowledgedWrites writes, ScenarioContext context)
            throws Exception {
        try (TestClient client = other.client()) {
            FaultTiming.await(
                    () -> client.chat(chat).get("conversationId").isNull(),
                    "no server has ended the turn of the frozen server");
            new InvariantChecks(context.counts()).checkUsable(client, writes);
            return client.chat(chat);
        }
    }

    private static void requireSame(ServerUnderTest other, String chat, JsonNode before)
            throws Exception {
        try (TestClient client = other.client()) {
            InvariantChecks.require(
                    client.chat(chat).get("messages").equals(before.get("messages")),
                    "a late write of the frozen server was taken");
        }
    }
}
