package dev.satchel.client;

import dev.satchel.client.model.Invitation;
import dev.satchel.client.model.Person;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The people of the tenant; owners manage them. */
public final class People {
    private static final String USERS = "/api/users";

    private final HttpCalls calls;
    private final FileTransfers transfers;

    People(HttpCalls calls, FileTransfers transfers) {
        this.calls = calls;
        this.transfers = transfers;
    }

    public List<Person> list() throws IOException, InterruptedException {
        return calls.get(USERS, All.class).users();
    }

    /** The address in the response signs the person in once. */
    public Invitation invite(String name, @Nullable String email, String role)
            throws IOException, InterruptedException {
        Map<String, String> body = new HashMap<>(Map.of("name", name, "role", role));
        if (email != null) {
            body.put("email", email);
        }
        return calls.post(USERS, body, Invitation.class);
    }

    /**
     * A new address for a person who has lost the one before, which ends; refused once the person
     * has signed in.
     */
    public Invitation inviteAgain(String id) throws IOException, InterruptedException {
        return calls.post(path(id) + "/invitation", Map.of(), Invitation.class);
    }

    /**
     * As {@link #inviteAgain}, for a person who has signed in before. The address signs in as them,
     * so it is audited, and the person sees it.
     */
    public Invitation resetAccess(String id) throws IOException, InterruptedException {
        return calls.post(path(id) + "/invitation?reset=true", Map.of(), Invitation.class);
    }

    public Person setRole(String id, String role) throws IOException, InterruptedException {
        return calls.send("PATCH", path(id), Map.of("role", role), Person.class);
    }

    /** Ends the person's keys, sessions and open requests. */
    public void remove(String id) throws IOException, InterruptedException {
        calls.delete(path(id));
    }

    /** Everything of the caller as a zip archive. */
    public DownloadStream export() throws IOException, InterruptedException {
        return transfers.download(path(calls.get("/api/me", Me.class).userId()) + "/export");
    }

    private record Me(String userId) {}

    private record All(List<Person> users) {}

    private static String path(String id) {
        return USERS + "/" + HttpCalls.encoded(id);
    }
}
