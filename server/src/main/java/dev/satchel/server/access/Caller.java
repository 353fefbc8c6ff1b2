package dev.satchel.server.access;

/** Somebody whose credential was checked. */
public record Caller(TenantId tenant) {}
