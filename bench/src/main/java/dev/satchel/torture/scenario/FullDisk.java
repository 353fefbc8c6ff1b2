package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.SmallDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A disk, with the database on it, that is full for a while. */
public final class FullDisk implements Scenario {
    private static final int CLIENTS = 3;

    @Override
    public String name() {
        return "full-disk";
    }

    @Override
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        Path folder = arena.fresh("machine");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("data"), 256);
                ServerUnderTest machine = new ServerUnderTest(folder, disk.path(), Map.of())) {
            machine.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                FaultTiming.busy(arena, ledger, Duration.ofSeconds(2));
                Path filler = fill(disk.path());
                arena.counts().add("disks filled");
                Thread.sleep(arena.within(Duration.ofSeconds(arena.brief() ? 3 : 15)));
                Files.delete(filler);
                FaultTiming.busy(arena, ledger, Duration.ZERO);
            }
            InvariantChecks.require(machine.isAlive(), "the server died of a full disk");
            new InvariantChecks(arena.counts()).check(machine, ledger);
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
