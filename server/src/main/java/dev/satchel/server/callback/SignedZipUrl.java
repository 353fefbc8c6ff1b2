package dev.satchel.server.callback;

import java.time.Instant;

/** A signed address that opens one run's bag until it expires. */
record SignedZipUrl(String url, Instant expiresAt) {}
