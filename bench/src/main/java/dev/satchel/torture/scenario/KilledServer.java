package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.time.Duration;

/** SIGKILL for the server, with its runner, at any moment of turns, uploads and snapshots. */
public final class KilledServer implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-server";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ServerUnderTest server = ServerUnderTest.plain(context)) {
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                int kills = context.brief() ? 1 : 3;
                for (int i = 0; i < kills; i++) {
                    FaultTiming.busy(context, writes, Duration.ofSeconds(4));
                    server.kill();
                    context.counts().add("servers killed");
                    server.start();
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }
}
