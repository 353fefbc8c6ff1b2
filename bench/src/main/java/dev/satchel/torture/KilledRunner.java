package dev.satchel.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** SIGKILL for a runner that stands apart from its server, in the middle of turns. */
final class KilledRunner implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-runner";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        Path folder = arena.fresh("machine");
        try (Runner runner = new Runner(folder);
                Machine machine =
                        new Machine(
                                folder,
                                folder.resolve("data"),
                                Map.of(
                                        "SANDBOX_URL", runner.url().toString(),
                                        "SANDBOX_WORKSPACES_DIR",
                                                runner.workspaces().toString()))) {
            runner.start();
            machine.start();
            try (Traffic _ =
                    Traffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int kills = arena.brief() ? 1 : 3;
                for (int i = 0; i < kills; i++) {
                    Moments.busy(arena, ledger, Duration.ofSeconds(4));
                    runner.kill();
                    arena.counts().add("runners killed");
                    runner.start();
                }
            }
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }
}
