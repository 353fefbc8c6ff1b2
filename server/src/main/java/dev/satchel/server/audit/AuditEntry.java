package dev.satchel.server.audit;

/** A stored event, with its place in the log. */
record AuditEntry(String id, long at, AuditEvent event) {}
