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
    public void play(ScenarioContext arena) throws Exception {
        AcknowledgedWrites ledger = new AcknowledgedWrites();
        Path folder = arena.fresh("machine");
        try (ServerUnderTest machine =
                new ServerUnderTest(
                        folder, folder.resolve("data"), Map.of("SATCHEL_DRAIN_SECONDS", "30"))) {
            machine.start();
            try (ClientTraffic _ =
                    ClientTraffic.start(
                            machine::client, CLIENTS, ledger, arena.counts(), arena.random())) {
                int restarts = arena.brief() ? 2 : 5;
                for (int i = 0; i < restarts; i++) {
                    FaultTiming.busy(arena, ledger, Duration.ofSeconds(2));
                    machine.stop();
                    machine.start();
                    arena.counts().add("servers restarted");
                }
                FaultTiming.busy(arena, ledger, Duration.ZERO);
            }
            try (TestClient client = machine.client()) {
                for (String chat : ledger.chats()) {
                    requireNoneInterrupted(client.chat(chat));
                }
            }
            new InvariantChecks(arena.counts()).check(machine, ledger);
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
