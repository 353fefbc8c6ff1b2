package dev.satchel.torture;

import java.time.Duration;

/** SIGKILL for the server, with its runner, at any moment of turns, uploads and snapshots. */
final class KilledServer implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-server";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        try (Machine machine = Machine.plain(arena)) {
            machine.start();
            try (Traffic _ =
                    Traffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int kills = arena.brief() ? 1 : 3;
                for (int i = 0; i < kills; i++) {
                    Moments.busy(arena, ledger, Duration.ofSeconds(4));
                    machine.kill();
                    arena.counts().add("servers killed");
                    machine.start();
                }
            }
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }
}
