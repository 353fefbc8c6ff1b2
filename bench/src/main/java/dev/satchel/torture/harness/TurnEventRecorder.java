package dev.satchel.torture.harness;

import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Records what each event of a turn acknowledges. */
final class TurnEventRecorder implements Consumer<JsonNode> {
    private final String question = UUID.randomUUID().toString();
    private final String chat;
    private final String word;
    private final AcknowledgedWrites ledger;
    private final EventCounts counts;
    private boolean commandWorked;
    private boolean answered;

    /** {@code word} is what the turn's command writes. */
    TurnEventRecorder(String chat, String word, AcknowledgedWrites ledger, EventCounts counts) {
        this.chat = chat;
        this.word = word;
        this.ledger = ledger;
        this.counts = counts;
    }

    /** The id of the user's message. */
    String question() {
        return question;
    }

    boolean worked() {
        return commandWorked && answered;
    }

    @Override
    public void accept(JsonNode event) {
        switch (event.get("type").stringValue()) {
            case "chat" -> {
                ledger.message(chat, question);
                counts.add("messages acknowledged");
            }
            case "step" -> commandWorked = event.get("status").stringValue().equals("succeeded");
            case "result" -> answered(event);
            case "error" -> counts.add("turns that ended in an error");
            default -> {} // nothing that is acknowledged
        }
    }

    /** A killed command may have written a part of the file, or nothing. */
    private void answered(JsonNode event) {
        answered = true;
        ledger.message(chat, event.get("messageId").stringValue());
        counts.add("answers acknowledged");
        if (!commandWorked) {
            counts.add("commands that failed");
            return;
        }
        ledger.note(chat, word + ".txt", word);
        String sha256 = ContentDigests.sha256(word);
        event.get("files").forEach(file -> ledger.file(chat, file.get("id").stringValue(), sha256));
    }
}
