package dev.satchel.client.model;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A person, and the address that signs them in once. */
public record Invitation(Person user, String url, Instant expiresAt, JsonNode json)
        implements ServerObject {}
