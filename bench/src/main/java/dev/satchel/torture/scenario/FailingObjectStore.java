package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ObjectStoreProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.nio.file.Path;
import java.time.Duration;

/** An object store that answers every request with 500 for a while, or with nothing at all. */
public final class FailingObjectStore implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "bad-object-store";
    }

    @Override
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        Path folder = arena.fresh("machine");
        try (ObjectStoreProcess objects = ObjectStoreProcess.start(arena);
                ServerUnderTest machine =
                        new ServerUnderTest(folder, folder.resolve("data"), objects.variables())) {
            machine.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                for (FaultProxy.Mode mode :
                        new FaultProxy.Mode[] {FaultProxy.Mode.BROKEN, FaultProxy.Mode.HANG}) {
                    FaultTiming.busy(arena, ledger, Duration.ofSeconds(1));
                    objects.line().become(mode);
                    arena.counts().add("object stores broken: " + mode);
                    Thread.sleep(arena.within(Duration.ofSeconds(arena.brief() ? 3 : 15)));
                    objects.line().become(FaultProxy.Mode.PASS);
                }
            }
            new InvariantChecks(arena.counts()).check(machine, ledger);
        }
    }
}
