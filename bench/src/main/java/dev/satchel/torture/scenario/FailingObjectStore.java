package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultProxy;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ObjectStoreProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.nio.file.Path;
import java.time.Duration;

/** An object store that answers every request with 500 for a while, or with nothing at all. */
public final class FailingObjectStore implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "bad-object-store";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (ObjectStoreProcess objects = ObjectStoreProcess.start(context);
                ServerUnderTest server =
                        new ServerUnderTest(folder, folder.resolve("data"), objects.variables())) {
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                for (FaultProxy.Mode mode :
                        new FaultProxy.Mode[] {FaultProxy.Mode.BROKEN, FaultProxy.Mode.HANG}) {
                    FaultTiming.busy(context, writes, Duration.ofSeconds(1));
                    objects.proxy().become(mode);
                    context.counts().add("object stores broken: " + mode);
                    Thread.sleep(context.within(Duration.ofSeconds(context.brief() ? 3 : 15)));
                    objects.proxy().become(FaultProxy.Mode.PASS);
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }
}
