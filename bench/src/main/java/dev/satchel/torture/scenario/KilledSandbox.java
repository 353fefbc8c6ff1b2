package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ProcessSignals;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** SIGKILL for processes of sandboxes, while commands run in them. */
public final class KilledSandbox implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-sandbox";
    }

    @Override
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        try (ServerUnderTest machine = ServerUnderTest.plain(arena)) {
            machine.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int kills = arena.brief() ? 5 : 40;
                for (int i = 0; i < kills; i++) {
                    FaultTiming.busy(arena, ledger, Duration.ofMillis(50));
                    FaultTiming.await(() -> killOne(arena, machine), "no sandbox was ever at work");
                    arena.counts().add("sandboxes killed");
                }
            }
            new InvariantChecks(arena.counts()).check(machine, ledger);
        }
    }

    private static boolean killOne(ScenarioContext arena, ServerUnderTest machine)
            throws IOException, InterruptedException {
        List<ProcessHandle> found =
                ProcessHandle.of(machine.pid()).stream()
                        .flatMap(ProcessHandle::descendants) // it starts nothing else
                        .toList();
        if (found.isEmpty()) {
            return false;
        }
        ProcessSignals.send("KILL", found.get(arena.random().nextInt(found.size())).pid());
        return true;
    }
}
