package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.MixedTraffic;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Three servers whose connections to PostgreSQL and S3 break at random, some between a COMMIT and
 * its answer. Meanwhile one fault after the other comes and goes, in a random order. Every stream
 * is compared with the log by its numbers.
 */
public final class UnreliableCluster implements Scenario {
    private static final int SERVERS = 3;
    private static final int CLIENTS = 4;

    /** What happens beside the connections that break. */
    private enum Fault {
        NONE,
        /** The database does not answer one server. */
        SILENT_FOR_ONE,
        /** The database does not answer any server. */
        SILENT_FOR_ALL,
        OBJECT_STORE_AWAY_AND_KILL,
        KILL,
        FREEZE
    }

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        long uploads = context.counts().of(MixedTraffic.UPLOADS);
        try (TestCluster cluster = TestCluster.start(context, SERVERS)) {
            MixedTraffic traffic =
                    MixedTraffic.start(
                            cluster.clients(context.random()),
                            CLIENTS,
                            writes,
                            context.counts(),
                            context.random());
            try (traffic) {
                for (Fault fault : faults(context)) {
                    breakConnections(cluster);
                    FaultTiming.busy(context, writes, Duration.ofSeconds(3));
                    inject(fault, cluster, context);
                    context.counts().add("faults in a cluster: " + fault);
                }
                cluster.heal();
                FaultTiming.busy(context, writes, Duration.ZERO);
            }
            try (TestClient client = cluster.servers().getLast().client()) {
                traffic.requireLogged(client);
            }
            InvariantChecks.require(
                    context.brief() || context.counts().of(MixedTraffic.UPLOADS) > uploads,
                    "no upload came about");
            cluster.check(context, writes);
        }
    }

    /** All of them, so many times as the load is long; a brief run has one. */
    private static List<Fault> faults(ScenarioContext context) {
        if (context.brief()) {
            return List.of(Fault.NONE);
        }
        List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
        Collections.shuffle(faults, context.random());
        return faults;
    }

    private static void breakConnections(TestCluster cluster) {
        cluster.databases().forEach(proxy -> proxy.become(FaultProxy.Mode.UNRELIABLE));
        cluster.objects().become(FaultProxy.Mode.UNRELIABLE);
    }

    private static void inject(Fault fault, TestCluster cluster, ScenarioContext context)
            throws Exception {
        int index = context.random().nextInt(SERVERS);
        ServerUnderTest server = cluster.servers().get(index);
        Duration length = Duration.ofSeconds(8 + context.random().nextInt(8));
        switch (fault) {
            case NONE -> Thread.sleep(Duration.ofSeconds(3));
            case SILENT_FOR_ONE -> {
                cluster.databases().get(index).become(FaultProxy.Mode.SILENT);
                Thread.sleep(length);
            }
            case SILENT_FOR_ALL -> {
                cluster.databases().forEach(proxy -> proxy.become(FaultProxy.Mode.SILENT));
                Thread.sleep(length);
            }
            case OBJECT_STORE_AWAY_AND_KILL -> {
                cluster.objects().become(FaultProxy.Mode.CUT);
                Thread.sleep(length.dividedBy(2));
                server.kill();
                cluster.objects().become(FaultProxy.Mode.PASS);
                Thread.sleep(length.dividedBy(2));
                startAgain(server, cluster);
            }
            case KILL -> {
                server.kill();
                Thread.sleep(length.dividedBy(2));
                startAgain(server, cluster);
            }
            case FREEZE -> {
                server.freeze();
                Thread.sleep(length);
                server.thaw();
            }
        }
    }

    /** A start needs a database that answers. */
    private static void startAgain(ServerUnderTest server, TestCluster cluster) throws Exception {
        cluster.heal();
        server.start();
    }
}
