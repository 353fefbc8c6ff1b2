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
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST_BYTES = 300_000;

    private final Supplier<TestClient> clients;
    private final AcknowledgedWrites ledger;
    private final EventCounts counts;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    private ClientTraffic(
            Supplier<TestClient> clients, AcknowledgedWrites ledger, EventCounts counts) {
        this.clients = clients;
        this.ledger = ledger;
        this.counts = counts;
    }

    /** Each client has conversations of its own, so that they never compete for a turn. */
    public static ClientTraffic start(
            Supplier<TestClient> clients,
            int number,
            AcknowledgedWrites ledger,
            EventCounts counts,
            Random random) {
        ClientTraffic traffic = new ClientTraffic(clients, ledger, counts);
        for (int i = 0; i < number; i++) {
            Random own = new Random(random.nextLong());
            traffic.threads.add(Thread.ofVirtual().start(() -> traffic.live(own)));
        }
        return traffic;
    }

    /** Lets the clients finish their current request, and interrupts those that do not. */
    @Override
    public void close() {
        ending = true;
        try {
            for (Thread thread : threads) {
                if (!thread.join(PATIENCE)) {
                    thread.interrupt();
                }
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private void live(Random random) {
        List<String> chats = new ArrayList<>();
        try (TestClient client = clients.get()) {
            while (!ending) {
                try {
                    act(client, chats, random);
                } catch (IOException e) {
                    counts.add("requests that failed while something was broken");
                    Thread.sleep(AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void act(TestClient client, List<String> chats, Random random)
            throws IOException, InterruptedException {
        if (chats.isEmpty() || random.nextInt(8) == 0) {
            String chat = client.newChat();
            ledger.chat(chat);
            chats.add(chat);
        }
        String chat = chats.get(random.nextInt(chats.size()));
        if (random.nextInt(3) == 0) {
            upload(client, chat, random);
        } else {
            talk(client, chat, ledger, counts);
        }
    }

    private void upload(TestClient client, String chat, Random random)
            throws IOException, InterruptedException {
        byte[] content = new byte[random.nextInt(MOST_BYTES)];
        random.nextBytes(content);
        JsonNode file = client.upload(chat, "upload.bin", content);
        ledger.file(chat, file.get("id").stringValue(), ContentDigests.sha256(content));
        counts.add("uploads acknowledged");
    }

    /**
     * A turn that writes a file into the workspace and hands in another; true when all of it
     * worked.
     */
    public static boolean talk(
            TestClient client, String chat, AcknowledgedWrites ledger, EventCounts counts)
            throws IOException, InterruptedException {
        String word = UUID.randomUUID().toString();
        TurnEventRecorder hearing = new TurnEventRecorder(chat, word, ledger, counts);
        String command =
                "/sh mkdir -p assets && printf %s WORD > WORD.txt && printf %s WORD > assets/out.txt"
                        .replace("WORD", word);
        client.turn(chat, hearing.question(), command, hearing);
        return hearing.worked();
    }
}
