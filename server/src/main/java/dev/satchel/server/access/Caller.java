package dev.satchel.server.access;

/** The authenticated sender of a request. */
public record Caller(TenantId tenant) {}
