package dev.satchel.client;

import dev.satchel.client.model.Health;
import dev.satchel.client.model.LoginLink;
import dev.satchel.client.model.Model;
import dev.satchel.client.model.ServerSettings;
import dev.satchel.client.model.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/**
 * A client of a Satchel server. Calls block; a refusal is an {@link ApiException}, any other {@link
 * IOException} means that the server could not be reached. Safe for many threads.
 */
public final class SatchelClient implements AutoCloseable {
    private final HttpCalls calls;
    private final FileTransfers transfers;
    private final Runs runs;

    private SatchelClient(HttpCalls calls) {
        this.calls = calls;
        this.transfers = new FileTransfers(calls);
        this.runs = new Runs(calls, transfers);
    }

    /** Nothing is sent before the first call. */
    public static SatchelClient of(URI server, String apiKey) {
        return new SatchelClient(new HttpCalls(server, apiKey));
    }

    public Chats chats() {
        return new Chats(calls, runs);
    }

    public Queues queues() {
        return new Queues(calls);
    }

    public Bags bags() {
        return new Bags(calls, transfers);
    }

    public Workspaces workspaces() {
        return new Workspaces(calls, transfers);
    }

    /** What runs ask people, and the answers. */
    public Asks asks() {
        return new Asks(calls);
    }

    public Runs runs() {
        return runs;
    }

    public Agents agents() {
        return new Agents(calls, transfers, runs);
    }

    public Assets assets() {
        return new Assets(calls, transfers);
    }

    /** Secrets that agents use at other services. */
    public Skills skills() {
        return new Skills(calls, transfers);
    }

    public Credentials credentials() {
        return new Credentials(calls);
    }

    public Search search() {
        return new Search(calls);
    }

    public Keys keys() {
        return new Keys(calls);
    }

    public People people() {
        return new People(calls, transfers);
    }

    public Shares shares() {
        return new Shares(calls);
    }

    public LoginSessions loginSessions() {
        return new LoginSessions(calls);
    }

    /** The models of the server; none when the runner alone decides. */
    public List<Model> models() throws IOException, InterruptedException {
        return calls.get("/api/models", AllModels.class).models();
    }

    private record AllModels(List<Model> models) {}

    public ServerSettings settings() throws IOException, InterruptedException {
        return calls.get("/api/settings", ServerSettings.class);
    }

    /** The storage that the caller's tenant uses, with so many of the largest chats. */
    public Storage storage(int chats) throws IOException, InterruptedException {
        return calls.get("/api/storage?limit=" + chats, Storage.class);
    }

    public LoginLink newLoginLink() throws IOException, InterruptedException {
        return calls.post("/api/login-links", Map.of(), LoginLink.class);
    }

    /** Also when a dependency is down and the status is 503. */
    public Health health() throws IOException, InterruptedException {
        HttpResponse<InputStream> response = calls.answer(calls.request("/health").build());
        return HttpCalls.read(response, Health.class);
    }

    /** Ends what is in flight. */
    @Override
    public void close() {
        calls.close();
    }
}
