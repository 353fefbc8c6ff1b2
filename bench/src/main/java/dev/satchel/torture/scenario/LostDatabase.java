package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.PostgresProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A database that is unreachable for a while, with all connections broken. */
public final class LostDatabase implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "lost-database";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (PostgresProcess postgres = PostgresProcess.start(context);
                ServerUnderTest server =
                        new ServerUnderTest(
                                folder,
                                folder.resolve("data"),
                                Map.of("DATABASE_URL", postgres.url().toString()))) {
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                int losses = context.brief() ? 1 : 3;
                for (int i = 0; i < losses; i++) {
                    FaultTiming.busy(context, writes, Duration.ofSeconds(2));
                    postgres.proxy().become(FaultProxy.Mode.CUT);
                    context.counts().add("databases lost");
                    Thread.sleep(context.within(Duration.ofSeconds(context.brief() ? 3 : 12)));
                    postgres.proxy().become(FaultProxy.Mode.PASS);
                    FaultTiming.busy(context, writes, Duration.ZERO);
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }
}
