package dev.satchel.server.credential;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/credentials}: a tenant stores and deletes the credentials of its agents. */
public final class CredentialRoutes {
    private static final int MAX_TEXT = 8_192;

    private final CredentialService credentials;
    private final AgentService agents;
    private final Authentication access;

    public CredentialRoutes(
            CredentialService credentials, AgentService agents, Authentication access) {
        this.credentials = credentials;
        this.agents = agents;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/credentials", access.requireCaller(Permission.ADMINISTER, this::list));
        router.post("/api/credentials", access.requireCaller(Permission.ADMINISTER, this::create));
        router.put(
                "/api/credentials/{name}",
                access.requireCaller(Permission.ADMINISTER, this::replace));
        router.post(
                "/api/credentials/authorizations",
                access.requireCaller(Permission.ADMINISTER, this::finish));
        router.post(
                "/api/credentials/{name}/authorization",
                access.requireCaller(Permission.ADMINISTER, this::connect));
        router.delete(
                "/api/credentials/{name}",
                access.requireCaller(Permission.ADMINISTER, this::delete));
    }

    private void list(Exchange exchange, Caller caller) {
        List<Agent> all = agents.list(caller);
        exchange.json(
                200,
                new CredentialView.All(
                        credentials.list(caller).stream()
                                .map(credential -> CredentialView.of(credential, all))
                                .toList()));
    }

    private CredentialView view(Caller caller, StoredCredential credential) {
        return CredentialView.of(credential, agents.list(caller));
    }

    private void create(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        CredentialRequest request = exchange.readJson(CredentialRequest.class);
        OAuthSettings oauth = request.oauth();
        CredentialName name = request.requiredName();
        StoredCredential created =
                oauth == null
                        ? credentials.create(caller, name, request.requiredValue())
                        : credentials.create(caller, name, oauth);
        exchange.json(201, view(caller, created));
    }

    /** The answer of the service at which a person has logged in. */
    record LoginResponse(@Nullable String state, @Nullable String code) {
        @Override
        public String toString() {
            return "***";
        }
    }

    record ConnectRequest(@Nullable String redirectUri) {}

    private void connect(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        CredentialName name = name(exchange);
        ConnectRequest request = exchange.readJson(ConnectRequest.class);
        String address = credentials.authorizationUrl(caller, name, request.redirectUri());
        exchange.json(200, Map.of("authorizationUrl", address));
    }

    private void finish(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        LoginResponse response = exchange.readJson(LoginResponse.class);
        String state = Fields.text("state", response.state(), MAX_TEXT);
        String code = Fields.text("code", response.code(), MAX_TEXT);
        exchange.json(200, view(caller, credentials.finish(caller, state, code)));
    }

    private void replace(Exchange exchange, Caller caller) throws IOException {
        CredentialName name = name(exchange);
        CredentialRequest request = exchange.readJson(CredentialRequest.class);
        request.requireSameName(name);
        exchange.json(
                200, view(caller, credentials.replace(caller, name, request.requiredValue())));
    }

    private void delete(Exchange exchange, Caller caller) {
        credentials.delete(caller, name(exchange));
        exchange.send(204);
    }

    private static CredentialName name(Exchange exchange) {
        String name = exchange.pathParameter("name");
        if (!CredentialName.isValid(name)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such credential");
        }
        return new CredentialName(name);
    }
}
