package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;

/**
 * A server that announces the address of another, or one where nothing listens, is refused, and the
 * files of the others stay as they are.
 */
public final class WrongAddress implements Scenario {
    /** A port that is never assigned. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");

    private static final int TURNS = 3;

    @Override
    public String name() {
        return "wrong-address";
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (TestCluster cluster = TestCluster.start(context, 1)) {
            ServerUnderTest right = cluster.servers().getFirst();
            String chat;
            try (TestClient client = right.client()) {
                chat = client.newChat();
                writes.chat(chat);
                runTurns(client, chat, writes, context);
            }
            requireRefused(cluster, context, right.url());
            requireRefused(cluster, context, NOWHERE);

            ServerUnderTest second = cluster.add(context);
            second.start();
            try (TestClient client = second.client()) {
                runTurns(client, chat, writes, context); // the files are those of the first server
            }
            requireRefused(cluster, context, second.url());
            cluster.check(context, writes);
        }
    }

    private static void runTurns(
            TestClient client, String chat, AcknowledgedWrites writes, ScenarioContext context)
            throws IOException, InterruptedException {
        for (int i = 0; i < TURNS; i++) {
            InvariantChecks.require(
                    ClientTraffic.runTurn(client, chat, writes, context.counts()),
                    "a turn failed beside a server with a wrong address");
        }
    }

    private static void requireRefused(TestCluster cluster, ScenarioContext context, URI address)
            throws IOException {
        try (ServerUnderTest wrong = cluster.newServer(context, address)) {
            boolean started = true;
            try {
                wrong.start();
            } catch (IOException e) {
                started = false;
            }
            InvariantChecks.require(!started, "a server has joined with the address " + address);
            InvariantChecks.require(
                    Files.readString(wrong.log()).contains("SATCHEL_NODE_URL"),
                    "the refusal does not name the setting, see " + wrong.log());
            context.counts().add("servers with a wrong address refused");
        }
    }
}
