package dev.satchel.http;

/** Answers one request. It runs on a virtual thread of its own and may block. */
@FunctionalInterface
public interface Handler {
    void handle(Exchange exchange) throws Exception;
}
