package dev.satchel.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** SIGKILL for processes of sandboxes, while commands run in them. */
final class KilledSandbox implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-sandbox";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        try (Machine machine = Machine.plain(arena)) {
            machine.start();
            try (Traffic _ =
                    Traffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int kills = arena.brief() ? 5 : 40;
                for (int i = 0; i < kills; i++) {
                    Moments.busy(arena, ledger, Duration.ofMillis(50));
                    Moments.await(() -> killOne(arena, machine), "no sandbox was ever at work");
                    arena.counts().add("sandboxes killed");
                }
            }
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }

    private static boolean killOne(Arena arena, Machine machine)
            throws IOException, InterruptedException {
        List<ProcessHandle> found =
                ProcessHandle.of(machine.pid()).stream()
                        .flatMap(ProcessHandle::descendants) // it starts nothing else
                        .toList();
        if (found.isEmpty()) {
            return false;
        }
        Signals.send("KILL", found.get(arena.random().nextInt(found.size())).pid());
        return true;
    }
}
