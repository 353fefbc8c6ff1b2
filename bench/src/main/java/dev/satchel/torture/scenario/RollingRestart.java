package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestCluster;
import dev.satchel.torture.model.EffectPlan;
import dev.satchel.torture.model.EffectTraffic;
import dev.satchel.torture.model.ModelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Servers that are restarted under load, with time for their turns: none of them is interrupted.
 * First one server whose turns cannot be continued, then three with turns of a model, which go on
 * after the restart or on another server.
 */
public final class RollingRestart implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "rolling-restart";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        alone(context);
        ofThree(context);
    }

    /** One after the other, while the clients use all of them. */
    private static void ofThree(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ModelServer model =
                new ModelServer(new EffectPlan(6, Duration.ofMillis(150), false))) {
            Map<String, String> variables = new HashMap<>(model.variables(context.folder()));
            variables.put("SATCHEL_DRAIN_SECONDS", "30");
            try (TestCluster cluster = TestCluster.start(context, 3, variables)) {
                EffectTraffic traffic =
                        EffectTraffic.start(
                                cluster.clients(context.random()),
                                CLIENTS,
                                writes,
                                context.counts());
                try (traffic) {
                    for (ServerUnderTest server : cluster.servers()) {
                        FaultTiming.busy(context, writes, Duration.ofSeconds(1));
                        server.stop();
                        server.start();
                        context.counts().add("servers of three restarted");
                    }
                }
                try (TestClient client = cluster.servers().getFirst().client()) {
                    traffic.check(client, model, 0);
                }
                cluster.check(context, writes);
            }
        }
    }

    private static void alone(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (ServerUnderTest server =
                new ServerUnderTest(
                        folder, folder.resolve("data"), Map.of("SATCHEL_DRAIN_SECONDS", "30"))) {
            server.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            server::client, CLIENTS, writes, context.counts(), context.random())) {
                int restarts = context.brief() ? 2 : 5;
                for (int i = 0; i < restarts; i++) {
                    FaultTiming.busy(context, writes, Duration.ofSeconds(2));
                    server.stop();
                    server.start();
                    context.counts().add("servers restarted");
                }
                FaultTiming.busy(context, writes, Duration.ZERO);
            }
            try (TestClient client = server.client()) {
                for (String chat : writes.chats()) {
                    requireNoneInterrupted(client.chat(chat));
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    private static void requireNoneInterrupted(JsonNode chat) {
        for (JsonNode message : chat.get("messages")) {
            for (JsonNode block : message.path("content")) {
                InvariantChecks.require(
                        !block.path("status").asString("").equals("interrupted"),
                        "a turn was interrupted by a restart in " + chat.get("id"));
            }
        }
    }
}
