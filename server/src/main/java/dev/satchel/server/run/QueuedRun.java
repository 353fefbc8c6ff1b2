package dev.satchel.server.run;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;

/**
 * A run that waits for a free place.
 *
 * @param position the place in the queue that its stream has shown last
 */
public record QueuedRun(
        RunId run,
        ConversationId conversation,
        TenantId tenant,
        UserId user,
        long queuedAt,
        long position) {
    /** A user of a tenant. */
    record Holder(TenantId tenant, UserId user) {}

    Holder holder() {
        return new Holder(tenant, user);
    }
}
