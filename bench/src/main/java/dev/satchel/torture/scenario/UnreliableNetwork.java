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
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        try (ServerUnderTest machine = ServerUnderTest.plain(arena)) {
            machine.start();
            try (FaultProxy line = new FaultProxy(machine.url().getPort(), arena.random())) {
                line.become(FaultProxy.Mode.BAD_LINE);
                URI url = URI.create("http://127.0.0.1:" + line.port());
                try (ClientTraffic _ =
                        ClientTraffic.start(
                                () -> new TestClient(url),
                                CLIENTS,
                                ledger,
                                arena.counts(),
                                arena.random())) {
                    int cuts = arena.brief() ? 3 : 20;
                    for (int i = 0; i < cuts; i++) {
                        FaultTiming.busy(arena, ledger, Duration.ofSeconds(2));
                        line.become(FaultProxy.Mode.BAD_LINE); // and all connections break
                        arena.counts().add("networks cut");
                    }
                }
            }
            new InvariantChecks(arena.counts()).check(machine, ledger);
        }
    }
}
