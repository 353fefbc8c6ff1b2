package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.time.Duration;

/** SIGKILL for the server, with its runner, at any moment of turns, uploads and snapshots. */
public final class KilledServer implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-server";
    }

    @Override
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        try (ServerUnderTest machine = ServerUnderTest.plain(arena)) {
            machine.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int kills = arena.brief() ? 1 : 3;
                for (int i = 0; i < kills; i++) {
                    FaultTiming.busy(arena, ledger, Duration.ofSeconds(4));
                    machine.kill();
                    arena.counts().add("servers killed");
                    machine.start();
                }
            }
            new InvariantChecks(arena.counts()).check(machine, ledger);
        }
    }
}
