package dev.satchel.server.execution;

import java.time.Instant;

/** A signed address that opens one run's bag until it expires. */
record ZipLink(String url, Instant expiresAt) {}
