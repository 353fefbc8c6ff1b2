package dev.satchel.torture.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The invariants after every scenario: every acknowledged byte is readable, every conversation is
 * usable, and one sweep leaves no unreferenced data.
 */
public final class InvariantChecks {
    /** A lease expires 30 s after the death of its owner, and a sweep runs every 2 s. */
    private static final Duration FREED_WITHIN = Duration.ofSeconds(35);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final EventCounts counts;

    public InvariantChecks(EventCounts counts) {
        this.counts = counts;
    }

    /** Stops the server first: leftovers can be told only when nothing is running. */
    public void check(ServerUnderTest server, AcknowledgedWrites writes) throws Exception {
        try (TestClient client = server.client()) {
            checkAcknowledged(client, writes);
            checkUsable(client, writes);
        }
        server.stop();
        LeftoverChecks.check(server);
        counts.add("sweeps that left nothing behind");
    }

    void checkAcknowledged(TestClient client, AcknowledgedWrites writes) throws Exception {
        checkDeleted(client, writes);
        for (String chat : writes.chats()) {
            checkThread(awaitFree(client, chat), writes);
        }
        for (AcknowledgedWrites.File file : writes.files()) {
            require(
                    ContentDigests.sha256(client.bagFile(file.chat(), file.id()))
                            .equals(file.sha256()),
                    "an acknowledged file has changed: " + file);
            counts.add("files found as they were acknowledged");
        }
        for (AcknowledgedWrites.Note note : writes.notes()) {
            byte[] found = client.workspaceFile(note.chat(), note.path());
            require(
                    new String(found, StandardCharsets.UTF_8).equals(note.content()),
                    "a workspace has lost " + note);
            counts.add("workspace files found as they were left");
        }
    }

    /** Deleted chats stay deleted. */
    private void checkDeleted(TestClient client, AcknowledgedWrites writes) throws Exception {
        for (String chat : writes.deletedChats()) {
            require(
                    client.status("/api/assistant/chats/" + chat) == 404,
                    "a deleted chat is back: " + chat);
            counts.add("deleted chats found deleted");
        }
    }

    /** Runs one more turn in each conversation. */
    public void checkUsable(TestClient client, AcknowledgedWrites writes)
            throws IOException, InterruptedException {
        for (String chat : writes.chats()) {
            require(
                    ClientTraffic.runTurn(client, chat, writes, counts),
                    "a conversation is of no use any more: " + chat);
            counts.add("conversations found usable");
        }
    }

    private static JsonNode awaitFree(TestClient client, String chat)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + FREED_WITHIN.toNanos();
        JsonNode found = client.chat(chat);
        while (!found.get("conversationId").isNull()) {
            require(System.nanoTime() < end, "a conversation stays occupied: " + chat);
            Thread.sleep(LOOK_AGAIN);
            found = client.chat(chat);
        }
        return found;
    }

    /** Every acknowledged message exists once, and every question has exactly one answer. */
    private void checkThread(JsonNode chat, AcknowledgedWrites writes) {
        List<String> ids = new ArrayList<>();
        List<String> roles = new ArrayList<>();
        chat.get("messages")
                .forEach(
                        message -> {
                            ids.add(message.get("id").stringValue());
                            roles.add(message.get("role").stringValue());
                        });
        Set<String> once = new HashSet<>(ids);
        require(once.size() == ids.size(), "a message stands twice in " + ids);
        String id = chat.get("id").stringValue();
        for (AcknowledgedWrites.Message message : writes.messages()) {
            if (message.chat().equals(id)) {
                require(once.contains(message.id()), "an acknowledged message is lost: " + message);
                counts.add("messages found as they were acknowledged");
            }
        }
        for (int i = 0; i < roles.size(); i++) {
            require(
                    roles.get(i).equals(i % 2 == 0 ? "user" : "assistant"),
                    "questions and answers do not take turns in " + id + ": " + roles);
        }
    }

    public static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
