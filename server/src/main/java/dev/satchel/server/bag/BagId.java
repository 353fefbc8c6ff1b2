package dev.satchel.server.bag;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectKey;
import org.jspecify.annotations.Nullable;

/** A bag: the files of a conversation. */
public sealed interface BagId {
    record OfConversation(ConversationId id) implements BagId {}

    ConversationId id();

    /** The id of the conversation. */
    default String owner() {
        return id().value();
    }

    /** The prefix of the keys of the bag, with its slash. */
    default String prefix(TenantId tenant) {
        String any = key(tenant, "_").value();
        return any.substring(0, any.length() - 1);
    }

    /** The key of a file; all keys of one bag have the same prefix. */
    default ObjectKey key(TenantId tenant, String name) {
        return new ObjectKey(
                ObjectKey.of("assistant-chat-bag", tenant.value(), id().value()) + "/" + name);
    }

    /** The key of a file, or with an id that of a later version, which has the same name. */
    default ObjectKey versionKey(TenantId tenant, String name, @Nullable FileId version) {
        return key(tenant, version == null ? name : version.value() + "/" + name);
    }
}
