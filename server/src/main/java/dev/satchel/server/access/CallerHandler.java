package dev.satchel.server.access;

import dev.satchel.http.Exchange;

/** A handler of requests whose caller is authenticated. */
@FunctionalInterface
public interface CallerHandler {
    void handle(Exchange exchange, Caller caller) throws Exception;
}
