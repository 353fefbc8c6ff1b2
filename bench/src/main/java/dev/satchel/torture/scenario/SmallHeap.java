package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.FaultTiming;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.PrintingRunner;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Runs with more output than the server has heap, several at once, with a SIGKILL in the middle.
 * Another chat works all along.
 */
public final class SmallHeap implements Scenario {
    private static final String HEAP = "-Xmx256m";
    private static final int STEPS = 3_000;

    /** The lease of a dead server, and the next sweep. */
    private static final Duration FREED_WITHIN = Duration.ofSeconds(35);

    @Override
    public String name() {
        return "small-heap";
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        Path folder = context.createDirectory("server");
        try (PrintingRunner runner = new PrintingRunner();
                ServerUnderTest server =
                        new ServerUnderTest(
                                folder,
                                folder.resolve("data"),
                                Map.of("SANDBOX_URL", runner.url().toString()),
                                HEAP)) {
            server.start();
            int runs = context.brief() ? 2 : 4;
            printToTheEnd(context, server, runs);
            List<String> chats = killDuringRuns(server, runs);
            context.counts().add("servers killed");
            server.start();
            try (TestClient client = server.client()) {
                for (String chat : chats) {
                    FaultTiming.await(
                            () -> client.chat(chat).get("conversationId").isNull(),
                            FREED_WITHIN,
                            "a conversation stays occupied: " + chat);
                    requireRead(client, chat);
                    answer(client, chat, "hello");
                }
            }
            new InvariantChecks(context.counts()).check(server, new AcknowledgedWrites());
        }
    }

    private static void printToTheEnd(ScenarioContext context, ServerUnderTest server, int runs)
            throws Exception {
        List<String> chats = new ArrayList<>();
        List<Thread> turns = new ArrayList<>();
        AtomicInteger succeeded = new AtomicInteger();
        try (TestClient client = server.client()) {
            String other = client.newChat();
            for (int i = 0; i < runs; i++) {
                String chat = client.newChat();
                chats.add(chat);
                turns.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            if (printed(server, chat)) {
                                                succeeded.incrementAndGet();
                                            }
                                        }));
            }
            while (turns.stream().anyMatch(Thread::isAlive)) {
                answer(client, other, "hello");
                context.counts().add("turns beside runs that print");
            }
            InvariantChecks.require(
                    succeeded.get() == runs, succeeded.get() + " of " + runs + " runs succeeded");
            for (String chat : chats) {
                requireRead(client, chat);
                context.counts().add("runs with more output than memory");
            }
        }
    }

    private static boolean printed(ServerUnderTest server, String chat) {
        try (TestClient client = server.client()) {
            return answer(client, chat, Integer.toString(STEPS)).equals("printed " + STEPS);
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    private static List<String> killDuringRuns(ServerUnderTest server, int runs) throws Exception {
        List<String> chats = new ArrayList<>();
        CountDownLatch started = new CountDownLatch(runs);
        try (TestClient client = server.client()) {
            for (int i = 0; i < runs; i++) {
                String chat = client.newChat();
                chats.add(chat);
                Thread.ofVirtual().start(() -> printUntilKilled(server, chat, started));
            }
            started.await();
        }
        server.kill();
        return chats;
    }

    private static void printUntilKilled(
            ServerUnderTest server, String chat, CountDownLatch started) {
        try (TestClient client = server.client()) {
            AtomicInteger events = new AtomicInteger();
            client.turn(
                    chat,
                    UUID.randomUUID().toString(),
                    Integer.toString(STEPS),
                    _ -> {
                        if (events.incrementAndGet() == STEPS / 2) {
                            started.countDown();
                        }
                    });
        } catch (IOException | InterruptedException e) {
            // killed, as planned
        }
    }

    /** Sends a message and returns the text of the result. */
    private static String answer(TestClient client, String chat, String message)
            throws IOException, InterruptedException {
        StringBuilder answer = new StringBuilder();
        client.turn(
                chat,
                UUID.randomUUID().toString(),
                message,
                event -> {
                    if (event.path("type").stringValue("").equals("result")) {
                        answer.append(event.path("message").stringValue(""));
                    }
                });
        InvariantChecks.require(!answer.isEmpty(), "a turn has no answer: " + chat);
        return answer.toString();
    }

    /** The thread says what is missing, and the trace can be read. */
    private static void requireRead(TestClient client, String chat) throws Exception {
        JsonNode messages = client.chat(chat).get("messages");
        JsonNode content = messages.get(1).get("content");
        InvariantChecks.require(
                content.valueStream()
                        .anyMatch(block -> block.path("truncated").booleanValue(false)),
                "no step of the message is cut: " + chat);
        String run = messages.get(1).get("runId").stringValue();
        InvariantChecks.require(
                client.status("/api/runs/" + run + "/trace") == 200,
                "the trace cannot be read: " + run);
    }
}
