package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.net.URI;
import java.time.Duration;

/** A network between clients and server that delays, cuts and repeats. */
public final class UnreliableNetwork implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "bad-network";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ServerUnderTest server = ServerUnderTest.plain(context)) {
            server.start();
            try (FaultProxy proxy = new FaultProxy(server.url().getPort(), context.random())) {
                proxy.become(FaultProxy.Mode.BAD_LINE);
                URI url = URI.create("http://127.0.0.1:" + proxy.port());
                try (ClientTraffic _ =
                        ClientTraffic.start(
                                () -> new TestClient(url),
                                CLIENTS,
                                writes,
                                context.counts(),
                                context.random())) {
                    int cuts = context.brief() ? 3 : 20;
                    for (int i = 0; i < cuts; i++) {
                        FaultTiming.busy(context, writes, Duration.ofSeconds(2));
                        proxy.become(FaultProxy.Mode.BAD_LINE); // and all connections break
                        context.counts().add("networks cut");
                    }
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }
}
