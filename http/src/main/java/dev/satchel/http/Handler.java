package dev.satchel.http;

/** Answers one request, on a virtual thread of its own; it may block. */
@FunctionalInterface
public interface Handler {
    void handle(Exchange exchange) throws Exception;
}
