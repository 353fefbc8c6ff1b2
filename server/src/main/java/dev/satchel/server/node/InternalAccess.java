package dev.satchel.server.node;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.http.SharedSecret;

/**
 * Admits requests of other servers. Each carries the shared secret and names the server that it is
 * for: an address may lead to another server than the sender means, and that one must not answer.
 */
public record InternalAccess(SharedSecret secret, NodeId self) {
    /** The header with the id of the server that a request is for. */
    public static final String NODE = "Satchel-Node";

    public void require(Exchange exchange) {
        secret.require(exchange);
        if (!exchange.header(NODE).orElse("").equals(self.value())) {
            throw new SatchelException(
                    ErrorCode.MISDIRECTED, "this request is for another server than this one");
        }
    }
}
