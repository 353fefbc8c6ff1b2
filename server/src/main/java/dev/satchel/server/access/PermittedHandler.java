package dev.satchel.server.access;

import dev.satchel.http.Exchange;
import dev.satchel.http.Handler;

/** The handler of a route whose callers need a permission; tests read it from the routes. */
public record PermittedHandler(Permission permission, Handler handler) implements Handler {
    @Override
    public void handle(Exchange exchange) throws Exception {
        handler.handle(exchange);
    }
}
