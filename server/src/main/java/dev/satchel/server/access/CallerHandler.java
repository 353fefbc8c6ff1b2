package dev.satchel.server.access;

import dev.satchel.http.Exchange;

/** A handler that is only reached by a known caller. */
@FunctionalInterface
public interface CallerHandler {
    void handle(Exchange exchange, Caller caller) throws Exception;
}
