package dev.satchel.server.node;

import java.net.URI;

/** Another server on the same database: its id, and the address that it has announced. */
public record Peer(NodeId id, URI address) {}
