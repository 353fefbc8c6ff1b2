package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.MixedTraffic;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** The clock of a server is set forward and back by up to two hours, alone and beside another. */
public final class ClockJumps implements Scenario {
    private static final int CLIENTS = 3;
    private static final List<Duration> OFFSETS =
            List.of(
                    Duration.ofHours(2),
                    Duration.ZERO,
                    Duration.ofHours(-2),
                    Duration.ofSeconds(-40),
                    Duration.ofSeconds(40));

    @Override
    public String name() {
        return "clock-jumps";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        alone(context);
        if (!context.brief()) {
            besideAnother(context);
        }
    }

    /** On SQLite, where leases count by the clock that jumps. */
    private static void alone(ScenarioContext context) throws Exception {
        Path offset = context.folder().resolve("clock-alone");
        set(offset, Duration.ZERO);
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ServerUnderTest server = ServerUnderTest.withClock(context, offset)) {
            server.start();
            MixedTraffic traffic =
                    MixedTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random());
            try (traffic) {
                jump(context, writes, offset);
            }
            try (TestClient client = server.client()) {
                traffic.requireLogged(client);
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    private static void besideAnother(ScenarioContext context) throws Exception {
        Path offset = context.folder().resolve("clock-of-one");
        set(offset, Duration.ZERO);
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (TestCluster cluster = TestCluster.start(context, 1)) {
            cluster.addWithClock(context, offset).start();
            MixedTraffic traffic =
                    MixedTraffic.start(
                            cluster.clients(context.random()),
                            CLIENTS,
                            writes,
                            context.counts(),
                            context.random());
            try (traffic) {
                jump(context, writes, offset);
            }
            try (TestClient client = cluster.servers().getLast().client()) {
                traffic.requireLogged(client);
            }
            cluster.check(context, writes);
        }
    }

    private static void jump(ScenarioContext context, AcknowledgedWrites writes, Path offset)
            throws IOException, InterruptedException {
        for (Duration next : context.brief() ? OFFSETS.subList(0, 2) : OFFSETS) {
            FaultTiming.busy(context, writes, Duration.ofSeconds(1));
            set(offset, next);
            context.counts().add("clocks set");
            FaultTiming.busy(context, writes, Duration.ofSeconds(3));
        }
        set(offset, Duration.ZERO);
        FaultTiming.busy(context, writes, Duration.ZERO);
    }

    /** The file is never empty. */
    private static void set(Path offset, Duration to) throws IOException {
        Path next = offset.resolveSibling(offset.getFileName() + ".next");
        Files.writeString(next, Long.toString(to.toMillis()));
        Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    }
}
