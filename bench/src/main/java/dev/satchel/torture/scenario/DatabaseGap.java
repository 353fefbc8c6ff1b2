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
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * PostgreSQL is away for longer than a lease, for two servers that are healthy. The turn that runs
 * meanwhile must end as if nothing had happened.
 */
public final class DatabaseGap implements Scenario {
    private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(35);

    /** Longer than a renewal, after which a server counts a gap. */
    private static final Duration BRIEF = Duration.ofSeconds(12);

    @Override
    public String name() {
        return "database-gap";
    }

    @Override
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        Path folder = arena.fresh("machine");
        Path second = arena.fresh("other");
        try (PostgresProcess postgres = PostgresProcess.start(arena);
                ObjectStoreProcess objects = ObjectStoreProcess.start(arena);
                RunnerProcess runner = new RunnerProcess(folder)) {
            runner.start();
            Map<String, String> variables = new HashMap<>(objects.variables());
            variables.put("DATABASE_URL", postgres.url().toString());
            variables.put("SANDBOX_URL", runner.url().toString());
            variables.put("SANDBOX_WORKSPACES_DIR", runner.workspaces().toString());
            try (ServerUnderTest owner =
                            new ServerUnderTest(folder, folder.resolve("data"), variables);
                    ServerUnderTest other =
                            new ServerUnderTest(second, second.resolve("data"), variables);
                    TestClient client = owner.client()) {
                owner.start();
                other.start();
                Duration away = arena.brief() ? BRIEF : LONGER_THAN_A_LEASE;
                AtomicReference<String> status = new AtomicReference<>("");
                Thread turn = beginTurn(owner, ledger, away.plusSeconds(20), status);
                FaultTiming.await(() -> !ledger.messages().isEmpty(), "the turn did not begin");

                postgres.line().become(FaultProxy.Mode.CUT);
                arena.counts().add("databases lost");
                Thread.sleep(away);
                if (arena.brief()) {
                    postgres.execute("UPDATE run SET lease_until = 0"); // as if it had been so long
                }
                postgres.line().become(FaultProxy.Mode.PASS);

                turn.join();
                InvariantChecks.require(
                        status.get().equals("succeeded"),
                        "a turn did not survive the outage, its status is " + status.get());
                arena.counts().add("turns that survived an outage");
                other.stop();
                new InvariantChecks(arena.counts()).check(owner, ledger);
            }
        }
    }

    private static Thread beginTurn(
            ServerUnderTest machine,
            AcknowledgedWrites ledger,
            Duration length,
            AtomicReference<String> status)
            throws Exception {
        try (TestClient first = machine.client()) {
            String chat = first.newChat();
            ledger.chat(chat);
            String message = UUID.randomUUID().toString();
            return Thread.ofVirtual()
                    .start(
                            () -> {
                                try (TestClient client = machine.client()) {
                                    client.turn(
                                            chat,
                                            message,
                                            "/sleep " + length.toSeconds(),
                                            event -> {
                                                ledger.message(chat, message);
                                                if (event.path("type").asString("").equals("end")) {
                                                    status.set(event.path("status").asString(""));
                                                }
                                            });
                                } catch (Exception e) {
                                    status.set("broken off: " + e);
                                }
                            });
        }
    }
}
