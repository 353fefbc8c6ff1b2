package dev.satchel.server.usage;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;

/** Reads the sum of one chat. */
public final class UsageReader {
    private final Database database;
    private final ModelUsageStore store;

    public UsageReader(Database database, ModelUsageStore store) {
        this.database = database;
        this.store = store;
    }

    public UsageSum ofChat(ConversationId chat) {
        return database.read(tx -> store.ofConversation(tx, chat));
    }
}
