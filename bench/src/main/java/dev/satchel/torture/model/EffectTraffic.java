package dev.satchel.torture.model;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.EventCounts;
import dev.satchel.torture.harness.FollowedTurn;
import dev.satchel.torture.harness.TestClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Clients that send one {@link EffectTurn} after the other, each in a new chat. */
public final class EffectTraffic implements AutoCloseable {
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private final Supplier<TestClient> clients;
    private final AcknowledgedWrites writes;
    private final EventCounts counts;
    private final Queue<EffectTurn> turns = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    private EffectTraffic(
            Supplier<TestClient> clients, AcknowledgedWrites writes, EventCounts counts) {
        this.clients = clients;
        this.writes = writes;
        this.counts = counts;
    }

    /** The supplier gives a client of any server. */
    public static EffectTraffic start(
            Supplier<TestClient> clients,
            int number,
            AcknowledgedWrites writes,
            EventCounts counts) {
        EffectTraffic traffic = new EffectTraffic(clients, writes, counts);
        for (int i = 0; i < number; i++) {
            traffic.threads.add(Thread.ofVirtual().start(traffic::sendTurns));
        }
        return traffic;
    }

    /** Lets the clients follow their turns to the end. */
    @Override
    public void close() {
        ending = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    /** Checks every turn as {@link EffectTurn#check} does, after the clients have ended. */
    public void check(TestClient client, ModelServer model, int lost)
            throws IOException, InterruptedException {
        for (EffectTurn turn : turns) {
            turn.check(client, model, counts, lost, List.of());
        }
    }

    private void sendTurns() {
        try {
            while (!ending) {
                try (TestClient client = clients.get()) {
                    String chat = client.newChat();
                    writes.chat(chat);
                    EffectTurn turn = EffectTurn.in(chat, FollowedTurn.of(chat, writes, counts));
                    turns.add(turn);
                    turn.start(clients);
                    turn.await();
                } catch (IOException e) {
                    Thread.sleep(AFTER_FAILURE); // a server is away
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
