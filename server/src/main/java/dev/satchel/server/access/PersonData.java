package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;

/** A store that has something about a person which belongs to no conversation of theirs. */
public interface PersonData {
    /** Deletes it, or what names the person; returns how many rows were changed. */
    int erasePerson(Transaction tx, TenantId tenant, UserId user);
}
