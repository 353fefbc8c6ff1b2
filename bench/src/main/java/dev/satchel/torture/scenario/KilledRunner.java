package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.RunnerProcess;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** SIGKILL for a runner in its own process, during turns. */
public final class KilledRunner implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "killed-runner";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (RunnerProcess runner = new RunnerProcess(folder);
                ServerUnderTest server =
                        new ServerUnderTest(
                                folder,
                                folder.resolve("data"),
                                Map.of(
                                        "SANDBOX_URL", runner.url().toString(),
                                        "SANDBOX_WORKSPACES_DIR",
                                                runner.workspaces().toString()))) {
            runner.start();
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                int kills = context.brief() ? 1 : 3;
                for (int i = 0; i < kills; i++) {
                    FaultTiming.busy(context, writes, Duration.ofSeconds(4));
                    runner.kill();
                    context.counts().add("runners killed");
                    runner.start();
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }
}
