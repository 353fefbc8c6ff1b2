package dev.satchel.server.callback;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.credential.CredentialName;
import dev.satchel.server.credential.CredentialService;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.TokenPurpose;

/**
 * The value of a credential for a run, whose token proves it. A run gets only the credentials that
 * its own agent names.
 */
public final class RunCredentialRoutes {
    private final CallbackService callbacks;
    private final CredentialService credentials;

    public RunCredentialRoutes(CallbackService callbacks, CredentialService credentials) {
        this.callbacks = callbacks;
        this.credentials = credentials;
    }

    public void addTo(Router router) {
        router.get(CallbackUrls.PATH + "{sessionId}/credentials/{name}", this::value);
    }

    private void value(Exchange exchange) throws InterruptedException {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        String name = exchange.pathParameter("name");
        boolean isNamed =
                run.setup().mcpServers().values().stream()
                        .anyMatch(server -> server.credentialNames().contains(name));
        if (!isNamed || !CredentialName.isValid(name)) {
            throw new SatchelException(
                    ErrorCode.NOT_FOUND, "the agent of this run names no such credential");
        }
        exchange.header("Cache-Control", "no-store");
        exchange.json(200, credentials.value(run.tenant(), new CredentialName(name)));
    }
}
