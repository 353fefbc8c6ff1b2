package dev.satchel.client.model;

import java.net.URI;
import java.time.Instant;

/** An address that logs one browser in, once. */
public record LoginLink(URI url, Instant expiresAt) {}
