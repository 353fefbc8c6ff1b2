package dev.satchel.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A database that goes away, with every connection to it, and comes back. */
final class LostDatabase implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "lost-database";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        Path folder = arena.fresh("machine");
        try (Postgres postgres = Postgres.start(arena);
                Machine machine =
                        new Machine(
                                folder,
                                folder.resolve("data"),
                                Map.of("DATABASE_URL", postgres.url().toString()))) {
            machine.start();
            try (Traffic _ =
                    Traffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int losses = arena.brief() ? 1 : 3;
                for (int i = 0; i < losses; i++) {
                    Moments.busy(arena, ledger, Duration.ofSeconds(2));
                    postgres.line().become(FaultProxy.Mode.CUT);
                    arena.counts().add("databases lost");
                    Thread.sleep(arena.within(Duration.ofSeconds(arena.brief() ? 3 : 12)));
                    postgres.line().become(FaultProxy.Mode.PASS);
                    Moments.busy(arena, ledger, Duration.ZERO);
                }
            }
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }
}
