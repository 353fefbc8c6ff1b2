package dev.satchel.server.access;

import java.time.Instant;

/** A key as its owner sees it later: without the secret. */
public record ApiKey(String id, TenantId tenant, String name, Instant createdAt) {}
