package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.SmallDisk;
import dev.satchel.torture.harness.TestClient;
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
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("data"), 256);
                ServerUnderTest server = new ServerUnderTest(folder, disk.path(), Map.of())) {
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                FaultTiming.busy(context, writes, Duration.ofSeconds(2));
                Path filler = fill(disk.path());
                context.counts().add("disks filled");
                require507(server);
                Thread.sleep(context.within(Duration.ofSeconds(context.brief() ? 3 : 15)));
                Files.delete(filler);
                FaultTiming.busy(context, writes, Duration.ZERO);
            }
            InvariantChecks.require(server.isAlive(), "the server died of a full disk");
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    /** What needs room is refused with 507, never with 500. */
    private static void require507(ServerUnderTest server) throws Exception {
        try (TestClient client = server.client()) {
            FaultTiming.await(
                    () -> client.newChatStatus() == 507, "a full disk is not answered with 507");
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
