package dev.satchel.torture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A disk that is full for a while: everything on it, the database too. */
final class FullDisk implements Scenario {
    private static final int CLIENTS = 3;

    @Override
    public String name() {
        return "full-disk";
    }

    @Override
    public void play(Arena arena) throws Exception {
        Ledger ledger = new Ledger();
        Path folder = arena.fresh("machine");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("data"), 256);
                Machine machine = new Machine(folder, disk.path(), Map.of())) {
            machine.start();
            try (Traffic _ =
                    Traffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                Moments.busy(arena, ledger, Duration.ofSeconds(2));
                Path filler = fill(disk.path());
                arena.counts().add("disks filled");
                Thread.sleep(arena.within(Duration.ofSeconds(arena.brief() ? 3 : 15)));
                Files.delete(filler);
                Moments.busy(arena, ledger, Duration.ZERO);
            }
            Invariants.require(machine.isAlive(), "the server died of a full disk");
            new Invariants(arena.counts()).check(machine, ledger);
        }
    }

    private static Path fill(Path folder) throws IOException {
        Path filler = folder.resolve("filler");
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            return filler; // as full as it gets
        }
    }
}
