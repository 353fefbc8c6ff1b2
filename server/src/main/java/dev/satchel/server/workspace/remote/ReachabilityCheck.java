package dev.satchel.server.workspace.remote;

import dev.satchel.server.node.Nodes;
import dev.satchel.server.node.Peer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at the start of a server that it and the others reach each other at the addresses that
 * they have announced. A server whose address leads nowhere, or to another server, would lose
 * changes of files.
 */
public final class ReachabilityCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ReachabilityCheck.class);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Nodes nodes;
    private final NodeClient client;

    public ReachabilityCheck(Nodes nodes, NodeClient client) {
        this.nodes = nodes;
        this.client = client;
    }

    /** The first problem in words; empty if there is none, or no other server. */
    public Optional<String> check(URI ownAddress) {
        Peer self = new Peer(nodes.self(), ownAddress);
        for (Peer other : nodes.others()) {
            Optional<String> problem = check(self, other);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    /**
     * A server that does not answer may have been killed a moment ago. So the check is repeated
     * until it succeeds, or the other server sends a heartbeat, or counts as gone.
     */
    private Optional<String> check(Peer self, Peer other) {
        long seen = nodes.seenAt(other.id());
        Optional<String> problem = tryOnce(self, other);
        while (problem.isPresent() && nodes.find(other.id()).isPresent()) {
            if (nodes.seenAt(other.id()) != seen) {
                return tryOnce(self, other); // it is alive
            }
            try {
                Thread.sleep(RETRY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.of("interrupted while another server was called");
            }
            problem = tryOnce(self, other);
        }
        if (problem.isPresent()) {
            LOG.warn("a server is gone nodeId={} address={}", other.id().value(), other.address());
        }
        return Optional.empty();
    }

    private Optional<String> tryOnce(Peer self, Peer other) {
        try {
            return client.callBack(other, self)
                    .map(
                            reason ->
                                    "other servers on this database do not reach this one at %s: %s. Set SATCHEL_NODE_URL to an address of this machine that they reach"
                                            .formatted(self.address(), reason));
        } catch (IOException e) {
            return Optional.of(
                    "another server on this database announces the address %s, but this server does not reach it there: %s. Set SATCHEL_NODE_URL of that server to an address of its machine"
                            .formatted(other.address(), NodeClient.reason(e)));
        }
    }
}
