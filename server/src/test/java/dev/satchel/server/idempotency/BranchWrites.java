package dev.satchel.server.idempotency;

import dev.satchel.server.testing.TestServer;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The writes that go back to an earlier point of a thread or of its files. */
final class BranchWrites {
    private final TestServer server;
    private final WriteSubjects subjects;

    BranchWrites(TestServer server, WriteSubjects subjects) {
        this.server = server;
        this.subjects = subjects;
    }

    Map<String, EveryWrite.Maker> all() {
        return Map.of(
                "POST /api/assistant/chats/{id}/head", this::head,
                "POST /api/sessions/{id}/fork", this::fork,
                "POST /api/sessions/{id}/restore", this::restore);
    }

    private WriteRequest head() throws Exception {
        String chat = EveryWrite.CHATS + answered();
        String first = server.getJson(chat).at("/messages/0/id").stringValue();
        return WriteRequest.json("POST", chat + "/head", Map.of("messageId", first, "exact", true));
    }

    private WriteRequest restore() throws Exception {
        String session = EveryWrite.SESSIONS + answered();
        JsonNode snapshots = server.getJson(session + "/snapshots").get("snapshots");
        return WriteRequest.json(
                "POST",
                session + "/restore",
                Map.of("snapshot", snapshots.get(0).get("id").stringValue()));
    }

    private WriteRequest fork() throws Exception {
        String session = answered();
        String first =
                server.getJson(EveryWrite.CHATS + session).at("/messages/0/id").stringValue();
        return WriteRequest.json(
                "POST", EveryWrite.SESSIONS + session + "/fork", Map.of("messageId", first));
    }

    /** A chat with one turn, whose files are in a snapshot. */
    private String answered() throws Exception {
        String chat = server.newChat();
        Map<String, String> message = Map.of("chatId", chat, "message", "/sh echo a > a.txt");
        try (TestServer.Events events = server.turn(message)) {
            if (events.rest().isEmpty()) {
                throw new AssertionError("a turn without events");
            }
        }
        subjects.post(EveryWrite.SESSIONS + chat + "/pause", Map.of()); // saves what is pending
        subjects.post(EveryWrite.SESSIONS + chat + "/resume", Map.of());
        return chat;
    }
}
