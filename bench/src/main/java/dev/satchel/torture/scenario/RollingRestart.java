package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A server that is restarted under load, with time for its turns: none of them is interrupted. */
public final class RollingRestart implements Scenario {
    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "rolling-restart";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
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
