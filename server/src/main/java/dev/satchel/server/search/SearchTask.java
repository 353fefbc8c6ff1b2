package dev.satchel.server.search;

import dev.satchel.server.access.TenantId;

/**
 * A file whose text is still to be read and indexed.
 *
 * @param attempts how often it was begun, this time included
 */
public record SearchTask(IndexedItem item, TenantId tenant, String sha256, int attempts) {}
