package dev.satchel.torture;

import java.nio.file.Path;
import java.time.Duration;

/** An object store that answers every request with 500 for a while, or with nothing at all. */
final class BadObjectStore implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "bad-object-store";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        Path folder = arena.fresh("machine");
        try (ObjectServer objects = ObjectServer.start(arena);
                Machine machine =
                        new Machine(folder, folder.resolve("data"), objects.variables())) {
            machine.start();
            try (Traffic _ =
                    Traffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                for (FaultProxy.Mode mode :
                        new FaultProxy.Mode[] {FaultProxy.Mode.BROKEN, FaultProxy.Mode.HANG}) {
                    Moments.busy(arena, ledger, Duration.ofSeconds(1));
                    objects.line().become(mode);
                    arena.counts().add("object stores broken: " + mode);
                    Thread.sleep(arena.within(Duration.ofSeconds(arena.brief() ? 3 : 15)));
                    objects.line().become(FaultProxy.Mode.PASS);
                }
            }
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }
}
