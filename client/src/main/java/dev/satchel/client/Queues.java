package dev.satchel.client;

import dev.satchel.client.model.MessageQueue;
import java.io.IOException;
import java.util.Map;

/** The messages of chats that wait for their turn. */
public final class Queues {
    private final HttpCalls calls;

    Queues(HttpCalls calls) {
        this.calls = calls;
    }

    public MessageQueue list(String chat) throws IOException, InterruptedException {
        return calls.get(path(chat), MessageQueue.class);
    }

    /** Replaces the text of a message whose turn has not started. */
    public MessageQueue edit(String chat, String message, String text)
            throws IOException, InterruptedException {
        return calls.send(
                "PATCH", path(chat, message), Map.of("message", text), MessageQueue.class);
    }

    /** Lets the running agent hear a message; one with files keeps its turn. */
    public MessageQueue steer(String chat, String message)
            throws IOException, InterruptedException {
        return calls.send(
                "PATCH", path(chat, message), Map.of("whenBusy", "steer"), MessageQueue.class);
    }

    /** Removes a message whose turn has not started. */
    public void remove(String chat, String message) throws IOException, InterruptedException {
        calls.delete(path(chat, message));
    }

    /** Lets a queue go on that a cancelled or refused turn has paused. */
    public MessageQueue resume(String chat) throws IOException, InterruptedException {
        return calls.post(path(chat) + "/resume", Map.of(), MessageQueue.class);
    }

    private static String path(String chat) {
        return Chats.path(chat) + "/queue";
    }

    private static String path(String chat, String message) {
        return path(chat) + "/" + HttpCalls.encoded(message);
    }
}
