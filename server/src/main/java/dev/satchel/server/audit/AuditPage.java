package dev.satchel.server.audit;

/** A part of the audit log: a time, and how many events after the place of another event. */
record AuditPage(long from, long to, long afterTime, String afterId, int limit) {
    static AuditPage first(long from, long to, int limit) {
        return new AuditPage(from, to, -1, "", limit);
    }

    AuditPage after(AuditEntry last) {
        return new AuditPage(from, to, last.at(), last.id(), limit);
    }
}
