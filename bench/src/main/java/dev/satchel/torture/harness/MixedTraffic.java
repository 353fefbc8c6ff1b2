package dev.satchel.torture.harness;

import dev.satchel.torture.harness.TestClient.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Clients that use everything at once, each request on another server: turns that are followed over
 * broken streams and sent twice, resumable uploads, cancels, deletions, copies of chats, and writes
 * of files. They record what is acknowledged and tolerate failures.
 */
public final class MixedTraffic implements AutoCloseable {
    /** The name under which finished uploads are counted. */
    public static final String UPLOADS = "resumable uploads acknowledged";

    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(150);
    private static final int MAX_BYTES = 200_000;
    private static final int MAX_CHATS = 4;
    private static final int UPLOAD_ATTEMPTS = 30;

    private enum Kind {
        TURN,
        WRITE,
        ATTACH,
        CANCEL,
        FORK,
        DELETE
    }

    /** What each client sends again and again, every time in another order. */
    private static final List<Kind> ROUND =
            List.of(
                    Kind.TURN,
                    Kind.TURN,
                    Kind.TURN,
                    Kind.TURN,
                    Kind.WRITE,
                    Kind.WRITE,
                    Kind.ATTACH,
                    Kind.ATTACH,
                    Kind.CANCEL,
                    Kind.FORK,
                    Kind.DELETE);

    private final Supplier<TestClient> clients;
    private final AcknowledgedWrites writes;
    private final EventCounts counts;
    private final Queue<FollowedTurn> turns = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    private MixedTraffic(
            Supplier<TestClient> clients, AcknowledgedWrites writes, EventCounts counts) {
        this.clients = clients;
        this.writes = writes;
        this.counts = counts;
    }

    /** The supplier gives a client of any server. Each thread has chats of its own. */
    public static MixedTraffic start(
            Supplier<TestClient> clients,
            int number,
            AcknowledgedWrites writes,
            EventCounts counts,
            Random random) {
        MixedTraffic traffic = new MixedTraffic(clients, writes, counts);
        for (int i = 0; i < number; i++) {
            Random own = new Random(random.nextLong());
            traffic.threads.add(Thread.ofVirtual().start(() -> traffic.sendRequests(own)));
        }
        return traffic;
    }

    /** Lets the clients finish, and interrupts those that do not. */
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

    /**
     * Fails if a client has found a fault. Compares every stream with the log; to be called after
     * the clients have ended.
     */
    public void requireLogged(TestClient client) throws IOException, InterruptedException {
        InvariantChecks.require(failures.isEmpty(), "clients found: " + failures);
        for (FollowedTurn turn : turns) {
            try {
                turn.requireLogged(client);
                counts.add("streams found as they are logged");
            } catch (RefusedException e) {
                counts.add("streams of deleted chats"); // their runs cannot be read
                InvariantChecks.require(e.status() == 404, "a stream cannot be read: " + e);
            }
        }
    }

    private void sendRequests(Random random) {
        List<String> chats = new ArrayList<>();
        List<Kind> round = new ArrayList<>();
        try {
            while (!ending) {
                if (round.isEmpty()) {
                    round.addAll(ROUND);
                    Collections.shuffle(round, random);
                }
                try {
                    sendOne(round.removeLast(), chats, random);
                } catch (IOException e) {
                    counts.add("requests that failed while something was broken");
                    Thread.sleep(AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AssertionError | RuntimeException e) {
            failures.add(e);
        }
    }

    private void sendOne(Kind kind, List<String> chats, Random random)
            throws IOException, InterruptedException {
        try (TestClient client = clients.get()) {
            if (chats.size() < MAX_CHATS && (chats.isEmpty() || random.nextInt(4) == 0)) {
                String chat = client.newChat();
                writes.chat(chat);
                chats.add(chat);
            }
            String chat = chats.get(random.nextInt(chats.size()));
            switch (kind) {
                case TURN -> runTurn(chat);
                case WRITE -> writeFile(client, chat);
                case ATTACH -> attach(client, chat, random);
                case CANCEL -> cancel(client, chat);
                case FORK -> fork(client, chat);
                case DELETE -> {
                    if (chats.size() == MAX_CHATS) {
                        delete(client, chats, chat);
                    }
                }
            }
        }
    }

    private void runTurn(String chat) throws IOException, InterruptedException {
        String marker = UUID.randomUUID().toString();
        TurnEventRecorder recorder = new TurnEventRecorder(chat, marker, writes, counts);
        FollowedTurn turn = new FollowedTurn(chat, recorder);
        String command =
                "/sh mkdir -p assets && printf %s WORD > WORD.txt && printf %s WORD > assets/out.txt"
                        .replace("WORD", marker);
        boolean ended = turn.send(clients, command);
        if (turn.isAccepted()) {
            turns.add(turn);
            counts.add(ended ? "turns followed to the end" : "turns not followed to the end");
        }
        if (ended) {
            try (TestClient client = clients.get()) {
                turn.requireOneRun(client, command);
                counts.add("turns sent twice");
            }
        }
    }

    private void writeFile(TestClient client, String chat)
            throws IOException, InterruptedException {
        String word = UUID.randomUUID().toString();
        client.writeFile(chat, word + ".txt", word);
        writes.note(chat, word + ".txt", word);
        counts.add("writes of the Files API acknowledged");
    }

    private void attach(TestClient client, String chat, Random random)
            throws IOException, InterruptedException {
        byte[] content = new byte[2 + random.nextInt(MAX_BYTES)];
        random.nextBytes(content);
        String upload = upload(client, content);
        try (TestClient other = clients.get()) {
            other.claim(chat, upload);
        }
        writes.file(chat, upload, ContentDigests.sha256(content));
    }

    /** In two parts; after a failure it continues where the server says, on any server. */
    private String upload(TestClient client, byte[] content)
            throws IOException, InterruptedException {
        String upload = client.beginUpload("upload.bin", content.length);
        int half = content.length / 2;
        int sent = 0;
        int failed = 0;
        while (sent < content.length) {
            int end = sent < half ? half : content.length;
            try (TestClient other = clients.get()) {
                other.continueUpload(upload, sent, Arrays.copyOfRange(content, sent, end));
                sent = end;
            } catch (IOException e) {
                failed++;
                if (failed == UPLOAD_ATTEMPTS) {
                    throw e;
                }
                Thread.sleep(AFTER_FAILURE);
                sent = readOffset(upload, sent);
            }
        }
        counts.add(UPLOADS);
        if (failed > 0) {
            counts.add("resumable uploads continued after a failure");
        }
        return upload.substring(upload.lastIndexOf('/') + 1);
    }

    /** What the server has of an upload, or the known offset if no server answers. */
    private int readOffset(String upload, int known) throws InterruptedException {
        int offset;
        try (TestClient other = clients.get()) {
            offset = other.uploadOffset(upload);
        } catch (IOException e) {
            return known;
        }
        InvariantChecks.require(offset >= known, "an upload has lost bytes: " + upload);
        return offset;
    }

    private void cancel(TestClient client, String chat) throws IOException, InterruptedException {
        TurnEventRecorder recorder = new TurnEventRecorder(chat, "", writes, counts);
        FollowedTurn turn = new FollowedTurn(chat, recorder);
        Thread running =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        turn.send(clients, "/sleep 10");
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        try {
            Thread.sleep(AFTER_FAILURE.multipliedBy(5));
            client.cancel(chat);
            counts.add("cancels acknowledged");
        } finally {
            running.join();
            if (turn.isAccepted()) {
                turns.add(turn);
            }
        }
    }

    private void fork(TestClient client, String chat) throws IOException, InterruptedException {
        String key = UUID.randomUUID().toString();
        String copy = client.fork(chat, key);
        InvariantChecks.require(
                client.fork(chat, key).equals(copy), "one request has made two copies of " + chat);
        int status = client.status("/api/assistant/chats/" + copy);
        InvariantChecks.require(status != 404, "an acknowledged copy is missing: " + copy);
        counts.add("copies acknowledged");
    }

    private void delete(TestClient client, List<String> chats, String chat)
            throws IOException, InterruptedException {
        chats.remove(chat); // whatever the answer is, the outcome may be either
        writes.mayBeDeleted(chat);
        client.delete(chat);
        writes.deleted(chat);
        counts.add("deletions acknowledged");
    }
}
