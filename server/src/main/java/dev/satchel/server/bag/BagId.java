package dev.satchel.server.bag;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.objectstore.ObjectKey;

/** Whose files: a conversation's, or those that a headless run handed in. */
public sealed interface BagId {
    record OfConversation(ConversationId id) implements BagId {}

    record OfRun(RunId id) implements BagId {}

    /** The id of the conversation or run. */
    default String owner() {
        return switch (this) {
            case OfConversation conversation -> conversation.id().value();
            case OfRun run -> run.id().value();
        };
    }

    /** What every key of the bag begins with, up to its slash. */
    default String prefix(TenantId tenant) {
        String any = key(tenant, "_").value();
        return any.substring(0, any.length() - 1);
    }

    /** Keys an operator finds again: everything of one bag lies under one prefix. */
    default ObjectKey key(TenantId tenant, String name) {
        return switch (this) {
            case OfConversation conversation ->
                    key("assistant-chat-bag", tenant, conversation.id().value(), name);
            case OfRun run -> key("run-files", tenant, run.id().value(), name);
        };
    }

    private static ObjectKey key(String kind, TenantId tenant, String owner, String name) {
        return new ObjectKey(ObjectKey.of(kind, tenant.value(), owner) + "/" + name);
    }
}
