package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.PostgresProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A database that is unreachable for a while, with all connections broken. */
public final class LostDatabase implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "lost-database";
    }

    @Override
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        Path folder = arena.fresh("machine");
        try (PostgresProcess postgres = PostgresProcess.start(arena);
                ServerUnderTest machine =
                        new ServerUnderTest(
                                folder,
                                folder.resolve("data"),
                                Map.of("DATABASE_URL", postgres.url().toString()))) {
            machine.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int losses = arena.brief() ? 1 : 3;
                for (int i = 0; i < losses; i++) {
                    FaultTiming.busy(arena, ledger, Duration.ofSeconds(2));
                    postgres.line().become(FaultProxy.Mode.CUT);
                    arena.counts().add("databases lost");
                    Thread.sleep(arena.within(Duration.ofSeconds(arena.brief() ? 3 : 12)));
                    postgres.line().become(FaultProxy.Mode.PASS);
                    FaultTiming.busy(arena, ledger, Duration.ZERO);
                }
            }
            new InvariantChecks(arena.counts()).check(machine, ledger);
        }
    }
}
