package dev.satchel.torture.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * Clients that chat, upload and let sandboxes hand in files concurrently. They record what is
 * acknowledged and tolerate failures.
 */
public final class ClientTraffic implements AutoCloseable {
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_BYTES = 300_000;

    private final Supplier<TestClient> clients;
    private final AcknowledgedWrites writes;
    private final EventCounts counts;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    private ClientTraffic(
            Supplier<TestClient> clients, AcknowledgedWrites writes, EventCounts counts) {
        this.clients = clients;
        this.writes = writes;
        this.counts = counts;
    }

    /** Each client has conversations of its own, so that they never compete for a turn. */
    public static ClientTraffic start(
            Supplier<TestClient> clients,
            int number,
            AcknowledgedWrites writes,
            EventCounts counts,
            Random random) {
        ClientTraffic traffic = new ClientTraffic(clients, writes, counts);
        for (int i = 0; i < number; i++) {
            Random own = new Random(random.nextLong());
            traffic.threads.add(Thread.ofVirtual().start(() -> traffic.sendRequests(own)));
        }
        return traffic;
    }

    /** Lets the clients finish their current request, and interrupts those that do not. */
    @Override
    public void close() {
        ending = true;
        try {
            for (Thread thread : threads) {
                if (!thread.join(TIMEOUT)) {
                    thread.interrupt();
                }
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private void sendRequests(Random random) {
        List<String> chats = new ArrayList<>();
        try (TestClient client = clients.get()) {
            while (!ending) {
                try {
                    sendOne(client, chats, random);
                } catch (IOException e) {
                    counts.add("requests that failed while something was broken");
                    Thread.sleep(AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendOne(TestClient client, List<String> chats, Random random)
            throws IOException, InterruptedException {
        if (chats.isEmpty() || random.nextInt(8) == 0) {
            String chat = client.newChat();
            writes.chat(chat);
            chats.add(chat);
        }
        String chat = chats.get(random.nextInt(chats.size()));
        if (random.nextInt(3) == 0) {
            upload(client, chat, random);
        } else {
            runTurn(client, chat, writes, counts);
        }
    }

    private void upload(TestClient client, String chat, Random random)
            throws IOException, InterruptedException {
        byte[] content = new byte[random.nextInt(MAX_BYTES)];
        random.nextBytes(content);
        JsonNode file = client.upload(chat, "upload.bin", content);
        writes.file(chat, file.get("id").stringValue(), ContentDigests.sha256(content));
        counts.add("uploads acknowledged");
    }

    /**
     * A turn that writes a file into the workspace and hands in another; true when all of it
     * worked.
     */
    public static boolean runTurn(
            TestClient client, String chat, AcknowledgedWrites writes, EventCounts counts)
            throws IOException, InterruptedException {
        String marker = UUID.randomUUID().toString();
        TurnEventRecorder recorder = new TurnEventRecorder(chat, marker, writes, counts);
        String command =
                "/sh mkdir -p assets && printf %s WORD > WORD.txt && printf %s WORD > assets/out.txt"
                        .replace("WORD", marker);
        client.turn(chat, recorder.question(), command, recorder);
        return recorder.succeeded();
    }
}
