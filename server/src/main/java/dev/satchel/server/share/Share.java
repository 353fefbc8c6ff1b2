package dev.satchel.server.share;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.snapshot.SnapshotId;
import org.jspecify.annotations.Nullable;

/**
 * A chat as it stood when its person shared it. What is stored of it never changes, so that nothing
 * that comes later is shown.
 *
 * @param by the person who shares
 * @param byName their name now
 * @param title of the chat then
 * @param head the number of the last message of the path that is shown; 0 for none
 * @param files the workspace; null if there was none
 * @param until when it ends by itself; null for never
 */
record Share(
        ShareId id,
        TenantId tenant,
        UserId by,
        @Nullable String byName,
        ConversationId conversation,
        ShareReaders readers,
        @Nullable String title,
        long head,
        @Nullable SnapshotId files,
        long createdAt,
        @Nullable Long until) {}
