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
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        Path second = context.createDirectory("other");
        try (PostgresProcess postgres = PostgresProcess.start(context);
                ObjectStoreProcess objects = ObjectStoreProcess.start(context);
                RunnerProcess runner = new RunnerProcess(folder)) {
            runner.start();
            Map<String, String> variables = new HashMap<>(objects.variables());
            variables.put("DATABASE_URL", postgres.url().toString());
            variables.put("SANDBOX_URL", runner.url().toString());
            variables.put("SANDBOX_WORKSPACES_DIR", runner.workspaces().toString());
            try (ServerUnderTest owner =
                            new ServerUnderTest(folder, folder.resolve("data"), variables);
                    ServerUnderTest other =
                            new ServerUnderTest(second, second.resolve("data"), variables)) {
                owner.start();
                other.start();
                Duration away = context.brief() ? BRIEF : LONGER_THAN_A_LEASE;
                AtomicReference<String> status = new AtomicReference<>("");
                Thread turn = beginTurn(owner, writes, away.plusSeconds(20), status);
                FaultTiming.await(() -> !writes.messages().isEmpty(), "the turn did not begin");

                postgres.proxy().become(FaultProxy.Mode.CUT);
                context.counts().add("databases lost");
                Thread.sleep(away);
                if (context.brief()) {
                    postgres.execute("UPDATE run SET lease_until = 0"); // as if it had been so long
                }
                postgres.proxy().become(FaultProxy.Mode.PASS);

                turn.join();
                InvariantChecks.require(
                        status.get().equals("succeeded"),
                        "a turn did not survive the outage, its status is " + status.get());
                context.counts().add("turns that survived an outage");
                other.stop();
                new InvariantChecks(context.counts()).check(owner, writes);
            }
        }
    }

    private static Thread beginTurn(
            ServerUnderTest server,
            AcknowledgedWrites writes,
            Duration length,
            AtomicReference<String> status)
            throws Exception {
        try (TestClient first = server.client()) {
            String chat = first.newChat();
            writes.chat(chat);
            String message = UUID.randomUUID().toString();
            return Thread.ofVirtual()
                    .start(
                            () -> {
                                try (TestClient client = server.client()) {
                                    client.turn(
                                            chat,
                                            message,
                                            "/sleep " + length.toSeconds(),
                                            event -> {
                                                writes.message(chat, message);
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
