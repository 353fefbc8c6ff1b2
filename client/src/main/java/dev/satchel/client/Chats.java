package dev.satchel.client;

import dev.satchel.client.model.BranchPage;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatPage;
import dev.satchel.client.model.ChatThread;
import dev.satchel.client.model.ThreadHead;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Threads, and the turns that are taken in them. */
public final class Chats {
    private static final String CHATS = "/api/assistant/chats";
    private static final int ACCEPTED = 202;

    private final HttpCalls calls;
    private final Runs runs;

    Chats(HttpCalls calls, Runs runs) {
        this.calls = calls;
        this.runs = runs;
    }

    public ChatPage list(int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        return calls.get(CHATS + page(limit, cursor), ChatPage.class);
    }

    /** An empty one, so that files can be put in before the first message. */
    public Chat create(@Nullable String title) throws IOException, InterruptedException {
        return calls.post(CHATS, title == null ? Map.of() : Map.of("title", title), Chat.class);
    }

    /** With its newest messages, or with those before a cursor. */
    public ChatThread read(String chat, int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        return calls.get(path(chat) + page(limit, cursor), ChatThread.class);
    }

    public Chat rename(String chat, String title) throws IOException, InterruptedException {
        return calls.send("PATCH", path(chat), Map.of("title", title), Chat.class);
    }

    public Chat pin(String chat, boolean pinned) throws IOException, InterruptedException {
        return calls.send("PATCH", path(chat), Map.of("pinned", pinned), Chat.class);
    }

    public Chat archive(String chat, boolean archived) throws IOException, InterruptedException {
        return calls.send("PATCH", path(chat), Map.of("archived", archived), Chat.class);
    }

    /** Those that are archived, which {@link #list} leaves out. */
    public ChatPage listArchived(int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        return calls.get(CHATS + page(limit, cursor) + "&archived=true", ChatPage.class);
    }

    public void delete(String chat) throws IOException, InterruptedException {
        calls.delete(path(chat));
    }

    public Chat restore(String chat) throws IOException, InterruptedException {
        return calls.post(path(chat) + "/restore", Map.of(), Chat.class);
    }

    /** In the order in which they began. */
    public BranchPage branches(String chat, int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        return calls.get(path(chat) + "/branches" + page(limit, cursor), BranchPage.class);
    }

    /**
     * Makes the path with a message active, with its files. It goes on to where that path was left,
     * or with {@code exact} ends at the message, so that the next one begins a branch there.
     */
    public ThreadHead switchTo(String chat, String message, boolean exact)
            throws IOException, InterruptedException {
        Map<String, Object> wanted = Map.of("messageId", message, "exact", exact);
        return calls.post(path(chat) + "/head", wanted, ThreadHead.class);
    }

    /**
     * Copies a chat, up to a message or whole, with the files of that point. Returns the id of the
     * copy.
     */
    public String fork(String chat, @Nullable String message)
            throws IOException, InterruptedException {
        Map<String, Object> wanted = message == null ? Map.of() : Map.of("messageId", message);
        String sessions = "/api/sessions/";
        String copy =
                calls.post(
                                sessions + HttpCalls.encoded(chat) + "/fork",
                                wanted,
                                SessionEnvelope.class)
                        .session()
                        .id();
        calls.run(sessions + copy + "/resume", Map.of());
        return copy;
    }

    private record SessionEnvelope(Session session) {}

    private record Session(String id) {}

    /** Sends a message; what answers it comes as events. */
    public RunEvents send(TurnRequest turn) throws IOException, InterruptedException {
        return runs.follow(request(turn));
    }

    private HttpRequest request(TurnRequest turn) {
        return calls.json("/api/assistant/chat/stream")
                .header("Accept", "text/event-stream")
                .POST(HttpCalls.body(turn))
                .build();
    }

    /**
     * Sends a message, or queues it while another turn of its chat runs; its turn starts by itself.
     * A {@link TurnRequest#steeringWhenBusy() steering} message is heard by the running agent.
     */
    public SentMessage sendOrQueue(TurnRequest turn) throws IOException, InterruptedException {
        HttpRequest request = request(turn.whenBusy() == null ? turn.queuedWhenBusy() : turn);
        HttpResponse<InputStream> first = Backoff.repeat(() -> calls.send(request));
        if (first.statusCode() == ACCEPTED) {
            Place place = HttpCalls.read(first, Place.class);
            return new SentMessage.Queued(place.messageId(), place.position());
        }
        return new SentMessage.Started(runs.follow(request, first));
    }

    private record Place(String messageId, int position) {}

    /** The run that is answering right now, from its beginning; empty when there is none. */
    public Optional<RunEvents> follow(String chat) throws IOException, InterruptedException {
        RunEvents events =
                runs.follow(
                        calls.request(path(chat) + "/stream")
                                .header("Accept", "text/event-stream")
                                .build());
        if (events.hasEnded()) {
            events.close();
            return Optional.empty();
        }
        return Optional.of(events);
    }

    /** Stops the turn in flight; false when there was none. */
    public boolean cancel(String chat) throws IOException, InterruptedException {
        return calls.post(path(chat) + "/cancel", Map.of(), CancelResponse.class).cancelled();
    }

    static String path(String chat) {
        return CHATS + "/" + HttpCalls.encoded(chat);
    }

    static String page(int limit, @Nullable String cursor) {
        return "?limit=" + limit + (cursor == null ? "" : "&cursor=" + HttpCalls.encoded(cursor));
    }
}
