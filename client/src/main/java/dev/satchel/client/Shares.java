package dev.satchel.client;

import dev.satchel.client.model.ReceivedSharePage;
import dev.satchel.client.model.Share;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chats that are shown to others as they stood when they were shared. */
public final class Shares {
    private final HttpCalls calls;

    Shares(HttpCalls calls) {
        this.calls = calls;
    }

    /**
     * With everybody who has the link, which only this answer has.
     *
     * @param until when it ends by itself; null for never
     */
    public Share withLink(String chat, @Nullable Instant until)
            throws IOException, InterruptedException {
        return create(chat, "link", until);
    }

    /** With all people of the tenant. */
    public Share withTenant(String chat, @Nullable Instant until)
            throws IOException, InterruptedException {
        return create(chat, "tenant", until);
    }

    /** With one person of the tenant, by their id. */
    public Share withPerson(String chat, String person, @Nullable Instant until)
            throws IOException, InterruptedException {
        return create(chat, Map.of("user", person), until);
    }

    private Share create(String chat, Object with, @Nullable Instant until)
            throws IOException, InterruptedException {
        Map<String, Object> wanted = new HashMap<>(Map.of("with", with));
        if (until != null) {
            wanted.put("until", until.toEpochMilli());
        }
        return calls.post(path(chat), wanted, Share.class);
    }

    /** Those of a chat. */
    public List<Share> list(String chat) throws IOException, InterruptedException {
        return calls.get(path(chat), All.class).shares();
    }

    public void revoke(String chat, String share) throws IOException, InterruptedException {
        calls.delete(path(chat) + "/" + HttpCalls.encoded(share));
    }

    /** What others share with the caller, newest first. */
    public ReceivedSharePage received(int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        return calls.get("/api/shares" + Chats.page(limit, cursor), ReceivedSharePage.class);
    }

    private static String path(String chat) {
        return Chats.path(chat) + "/shares";
    }

    private record All(List<Share> shares) {}
}
