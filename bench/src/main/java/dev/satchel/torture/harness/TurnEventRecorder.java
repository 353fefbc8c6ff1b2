package dev.satchel.torture.harness;

import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Records what each event of a turn acknowledges. */
final class TurnEventRecorder implements Consumer<JsonNode> {
    private final String question = UUID.randomUUID().toString();
    private final String chat;
    private final String marker;
    private final AcknowledgedWrites writes;
    private final EventCounts counts;
    private boolean commandWorked;
    private boolean answered;

    /** {@code marker} is what the turn's command writes; empty if it writes nothing. */
    TurnEventRecorder(String chat, String marker, AcknowledgedWrites writes, EventCounts counts) {
        this.chat = chat;
        this.marker = marker;
        this.writes = writes;
        this.counts = counts;
    }

    /** The id of the user's message. */
    String question() {
        return question;
    }

    void refused(int status) {
        counts.add("turns refused with " + status);
    }

    boolean succeeded() {
        return commandWorked && answered;
    }

    @Override
    public void accept(JsonNode event) {
        switch (event.get("type").stringValue()) {
            case "chat" -> {
                writes.message(chat, question);
                counts.add("messages acknowledged");
            }
            case "step" -> commandWorked = event.get("status").stringValue().equals("succeeded");
            case "result" -> answered(event);
            case "error" ->
                    counts.add(
                            "turns that ended with the error " + event.path("code").asString("?"));
            default -> {} // nothing that is acknowledged
        }
    }

    /** A killed command may have written a part of the file, or nothing. */
    private void answered(JsonNode event) {
        answered = true;
        writes.message(chat, event.get("messageId").stringValue());
        counts.add("answers acknowledged");
        if (!commandWorked) {
            counts.add("commands that failed");
            return;
        }
        if (marker.isEmpty()) {
            return;
        }
        writes.note(chat, marker + ".txt", marker);
        String sha256 = ContentDigests.sha256(marker);
        event.get("files").forEach(file -> writes.file(chat, file.get("id").stringValue(), sha256));
    }
}
