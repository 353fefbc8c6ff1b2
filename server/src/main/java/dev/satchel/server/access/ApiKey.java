package dev.satchel.server.access;

import java.time.Instant;

/** An API key without its secret. */
public record ApiKey(String id, TenantId tenant, UserId user, String name, Instant createdAt) {}
