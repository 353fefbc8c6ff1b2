package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ProcessSignals;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** SIGKILL for processes of sandboxes, while commands run in them. */
public final class KilledSandbox implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-sandbox";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ServerUnderTest server = ServerUnderTest.plain(context)) {
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                int kills = context.brief() ? 5 : 40;
                for (int i = 0; i < kills; i++) {
                    FaultTiming.busy(context, writes, Duration.ofMillis(50));
                    FaultTiming.await(
                            () -> killOne(context, server), "no sandbox was ever at work");
                    context.counts().add("sandboxes killed");
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    private static boolean killOne(ScenarioContext context, ServerUnderTest server)
            throws IOException, InterruptedException {
        List<ProcessHandle> found =
                ProcessHandle.of(server.pid()).stream()
                        .flatMap(ProcessHandle::descendants) // it starts nothing else
                        .toList();
        if (found.isEmpty()) {
            return false;
        }
        ProcessSignals.send("KILL", found.get(context.random().nextInt(found.size())).pid());
        return true;
    }
}
