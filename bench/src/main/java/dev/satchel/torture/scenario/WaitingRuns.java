package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FollowedTurn;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestCluster;
import dev.satchel.torture.model.EffectPlan;
import dev.satchel.torture.model.EffectTurn;
import dev.satchel.torture.model.ModelServer;
import dev.satchel.torture.model.ModelServer.Call;
import dev.satchel.torture.model.ModelServer.Reply;
import dev.satchel.torture.model.ModelServer.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/**
 * Turns that wait for a person while all servers are killed or stopped and started again. Then many
 * answers to each arrive on all servers at the same moment: one is taken, and each turn goes on
 * once.
 */
public final class WaitingRuns implements Scenario {
    private static final int ANSWERS = 64;
    private static final int ACCEPTED = 202;
    private static final int CONFLICT = 409;

    @Override
    public String name() {
        return "waiting-runs";
    }

    /** The tests of answered runs restart and change servers too. */
    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        try (ModelServer model = new ModelServer(WaitingRuns::reply);
                TestCluster cluster =
                        TestCluster.start(
                                context,
                                context.brief() ? 2 : 3,
                                model.variables(context.folder()))) {
            List<EffectTurn> turns = begin(context, cluster, writes);
            restart(context, cluster);
            answerAll(context, cluster, turns.size());
            try (TestClient client = cluster.servers().getFirst().client()) {
                for (EffectTurn turn : turns) {
                    turn.start(cluster.clients(context.random()));
                    turn.await();
                    turn.check(client, model, context.counts(), 0, List.of());
                    InvariantChecks.require(
                            model.asked(turn.task()).equals(List.of(0, 1, 2)),
                            "the model was asked " + model.asked(turn.task()));
                }
                InvariantChecks.require(client.openAsks().isEmpty(), "an answered turn still asks");
            }
            cluster.check(context, writes);
        }
    }

    /** An effect before the question, and one after the answer. */
    private static Reply reply(Request request) {
        return switch (request.round()) {
            case 0 ->
                    new Reply(
                            "May I?",
                            List.of(
                                    EffectPlan.effect(0, "a"),
                                    new Call("ask_user", Map.of("question", "May I go on?"))));
            case 1 -> new Reply("", List.of(EffectPlan.effect(1, "a")));
            default -> new Reply(EffectPlan.ANSWER, List.of());
        };
    }

    /** Returns when all turns wait. */
    private static List<EffectTurn> begin(
            ScenarioContext context, TestCluster cluster, AcknowledgedWrites writes)
            throws Exception {
        List<EffectTurn> turns = new ArrayList<>();
        int number = context.brief() ? 4 : 30;
        try (TestClient client = cluster.servers().getFirst().client()) {
            for (int i = 0; i < number; i++) {
                String chat = client.newChat();
                writes.chat(chat);
                EffectTurn turn =
                        EffectTurn.in(chat, FollowedTurn.of(chat, writes, context.counts()));
                turn.start(cluster.clients(context.random()));
                turns.add(turn);
            }
            for (EffectTurn turn : turns) {
                turn.await();
            }
            InvariantChecks.require(
                    client.openAsks().size() == number,
                    "of %d turns wait %d".formatted(number, client.openAsks().size()));
        }
        context.counts().add("turns that waited", number);
        return turns;
    }

    /** The first server is killed, the others are stopped. */
    private static void restart(ScenarioContext context, TestCluster cluster) throws Exception {
        List<ServerUnderTest> servers = cluster.servers();
        servers.getFirst().kill();
        for (ServerUnderTest server : servers.subList(1, servers.size())) {
            server.stop();
        }
        for (ServerUnderTest server : servers) {
            server.start();
        }
        context.counts().add("servers restarted", servers.size());
    }

    private static void answerAll(ScenarioContext context, TestCluster cluster, int number)
            throws Exception {
        List<TestClient> clients = cluster.servers().stream().map(ServerUnderTest::client).toList();
        JsonNode asks = clients.getFirst().openAsks();
        InvariantChecks.require(
                asks.size() == number, "a restart has changed what waits: " + asks.size());
        for (JsonNode ask : asks) {
            List<Integer> statuses =
                    race(clients, ask.get("runId").stringValue(), ask.get("askId").stringValue());
            int accepted = Collections.frequency(statuses, ACCEPTED);
            int refused = Collections.frequency(statuses, CONFLICT);
            InvariantChecks.require(
                    accepted == 1 && refused == ANSWERS - 1,
                    "answers to one question got " + statuses);
            context.counts().add("answers taken");
            context.counts().add("answers refused", refused);
        }
        clients.forEach(TestClient::close);
    }

    private static List<Integer> race(List<TestClient> clients, String run, String ask)
            throws InterruptedException {
        Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ANSWERS; i++) {
            TestClient client = clients.get(i % clients.size());
            String text = "answer " + i;
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            start.await();
                                            statuses.add(client.answer(run, ask, text));
                                        } catch (IOException e) {
                                            statuses.add(0);
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(statuses);
    }
}
