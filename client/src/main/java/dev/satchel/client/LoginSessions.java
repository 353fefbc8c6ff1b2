package dev.satchel.client;

import dev.satchel.client.model.LoginSession;
import java.io.IOException;
import java.util.List;

/** The browsers that are signed in: those of the caller, for an owner those of the tenant. */
public final class LoginSessions {
    private static final String SESSIONS = "/api/login-sessions";

    private final HttpCalls calls;

    LoginSessions(HttpCalls calls) {
        this.calls = calls;
    }

    public List<LoginSession> list() throws IOException, InterruptedException {
        return calls.get(SESSIONS, All.class).sessions();
    }

    public void end(String id) throws IOException, InterruptedException {
        calls.delete(SESSIONS + "/" + HttpCalls.encoded(id));
    }

    private record All(List<LoginSession> sessions) {}
}
