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
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        Path folder = arena.fresh("machine");
        Path second = arena.fresh("other");
        try (PostgresProcess postgres = PostgresProcess.start(arena);
                FaultProxy line = postgres.newLine(arena);
                ObjectStoreProcess objects = ObjectStoreProcess.start(arena);
                RunnerProcess runner = new RunnerProcess(folder)) {
            runner.start();
            Map<String, String> variables = new HashMap<>(objects.variables());
            variables.put("DATABASE_URL", PostgresProcess.url(line).toString());
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
                String chat = beginTurn(frozen, ledger);
                if (silentDatabase) {
                    line.become(FaultProxy.Mode.SILENT);
                    arena.counts().add("databases silent");
                    awaitUnready(frozen);
                } else {
                    frozen.freeze();
                    arena.counts().add("servers frozen");
                }
                if (arena.brief()) {
                    postgres.execute("UPDATE run SET lease_until = 0"); // as if it had been so long
                } else {
                    Thread.sleep(FROZEN);
                }
                JsonNode after = takeOver(other, chat, ledger, arena);
                if (silentDatabase) {
                    line.become(FaultProxy.Mode.PASS);
                } else {
                    frozen.thaw();
                }
                FaultTiming.await(
                        () -> Files.readString(frozen.log()).contains("run lost"),
                        "the frozen server never noticed what it had missed");
                requireSame(other, chat, after);
                frozen.stop();
                new InvariantChecks(arena.counts()).check(other, ledger);
            }
        }
    }

    /** Returns the chat of a turn that runs for a long time. */
    private static String beginTurn(ServerUnderTest machine, AcknowledgedWrites ledger)
            throws Exception {
        TestClient client = machine.client();
        String chat = client.newChat();
        ledger.chat(chat);
        String message = UUID.randomUUID().toString();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try (client) {
                                client.turn(
                                        chat,
                                        message,
                                        "/sleep 5\n/sh echo late > late.txt\n/sleep 300",
                                        _ -> ledger.message(chat, message));
                            } catch (Exception e) {
                                // the server is frozen, later on it ends
                            }
                        });
        FaultTiming.await(() -> !ledger.messages().isEmpty(), "the turn did not begin");
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
            ServerUnderTest other, String chat, AcknowledgedWrites ledger, ScenarioContext arena)
            throws Exception {
        try (TestClient client = other.client()) {
            FaultTiming.await(
                    () -> client.chat(chat).get("conversationId").isNull(),
                    "no server has ended the turn of the frozen server");
            new InvariantChecks(arena.counts()).checkUsable(client, ledger);
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
