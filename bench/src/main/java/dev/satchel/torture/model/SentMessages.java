package dev.satchel.torture.model;

import static dev.satchel.torture.harness.InvariantChecks.require;

import dev.satchel.torture.harness.EventCounts;
import dev.satchel.torture.harness.TestClient;
import dev.satchel.torture.harness.TestClient.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The messages that one client sends to a chat without waiting for answers; some are for the
 * running agent. A message whose acknowledgement is lost is sent again with its id.
 */
public final class SentMessages {
    private static final Pattern NAME = Pattern.compile("task-[0-9a-f-]{36}");
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(600);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);
    private static final int CONFLICT = 409;

    /** A message; its id is the name of its task without the first part. */
    private record Message(String task, boolean steers) {
        String id() {
            return task.substring("task-".length());
        }
    }

    private final String chat;
    private final Supplier<TestClient> clients;
    private final List<Message> messages;
    private final Random random;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final Thread sender;

    private SentMessages(
            String chat, Supplier<TestClient> clients, List<Message> messages, Random random) {
        this.chat = chat;
        this.clients = clients;
        this.messages = List.copyOf(messages);
        this.random = random;
        this.sender = Thread.ofVirtual().unstarted(this::send);
    }

    /** Begins to send so many messages. */
    public static SentMessages start(
            String chat, Supplier<TestClient> clients, int number, Random random) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            messages.add(new Message("task-" + UUID.randomUUID(), i % 3 == 1));
        }
        SentMessages sent = new SentMessages(chat, clients, messages, random);
        sent.sender.start();
        return sent;
    }

    /** The names of tasks in a text. */
    public static Set<String> findAll(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    public String chat() {
        return chat;
    }

    /** Waits until all messages are acknowledged. */
    public void await() throws InterruptedException {
        sender.join();
        require(acknowledged.get() == messages.size(), "messages of " + chat + " were refused");
    }

    private void send() {
        try {
            for (Message message : messages) {
                while (!trySend(message)) {
                    Thread.sleep(AFTER_FAILURE);
                }
                acknowledged.incrementAndGet();
                Thread.sleep(random.nextLong(LONGEST_PAUSE.toMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean trySend(Message message) throws InterruptedException {
        try (TestClient client = clients.get()) {
            client.enqueue(
                    chat,
                    message.id(),
                    "Work on " + message.task() + ".",
                    message.steers() ? "steer" : "queue");
            return true;
        } catch (RefusedException e) {
            require(
                    e.status() >= 500 || e.status() == CONFLICT,
                    "a message was refused: " + e.getMessage());
            return false;
        } catch (IOException e) {
            return false; // the server is away
        }
    }

    /**
     * Every message is in the thread once: as a question with an answer of its own, or as heard by
     * the agent. The questions have the order in which they were sent, and the model was told all.
     *
     * @param told the tasks that the model has read
     */
    public void check(JsonNode thread, Set<String> told, EventCounts counts) {
        List<String> tasks = messages.stream().map(Message::task).toList();
        List<String> questions = new ArrayList<>();
        List<String> heard = new ArrayList<>();
        List<JsonNode> all = new ArrayList<>();
        thread.get("messages").forEach(all::add);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).get("role").stringValue().equals("user")) {
                String task = findAll(all.get(i).toString()).iterator().next();
                questions.add(task);
                checkAnswer(task, i + 1 < all.size() ? all.get(i + 1) : thread, counts);
            } else {
                for (JsonNode block : all.get(i).path("content")) {
                    if (block.path("type").asString("").equals("steer")) {
                        heard.addAll(findAll(block.toString()));
                    }
                }
            }
        }
        List<Integer> order = questions.stream().map(tasks::indexOf).toList();
        require(
                order.stream().sorted().distinct().toList().equals(order),
                "questions of %s are not in order: %s".formatted(chat, order));
        for (Message message : messages) {
            int times =
                    Collections.frequency(questions, message.task())
                            + Collections.frequency(heard, message.task());
            require(
                    times == 1 && (message.steers() || !heard.contains(message.task())),
                    "%s of %s stands %d times".formatted(message, chat, times));
            require(told.contains(message.task()), message + " was not told to the model");
        }
        counts.add("messages heard by the running agent", heard.size());
        counts.add("messages answered in order", questions.size());
    }

    private static void checkAnswer(String task, JsonNode answer, EventCounts counts) {
        boolean isAnswered = answer.toString().contains("Answer to " + task);
        require(isAnswered, "%s is not answered: %s".formatted(task, answer));
        counts.add("answers that name their message");
    }
}
