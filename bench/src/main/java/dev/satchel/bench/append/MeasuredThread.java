package dev.satchel.bench.append;

import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import java.util.List;

/** One thread; each append is a transaction of its own, as in a turn. */
record MeasuredThread(Database database, ConversationStore store, ConversationId id) {
    private static final String TEXT = "Please sum up the attached figures by region. ".repeat(8);

    /** How many nanoseconds it took until the message was durable. */
    long timedAppend() {
        PersistedMessage message = message();
        long start = System.nanoTime();
        database.change(tx -> store.threads().append(tx, id, message));
        return System.nanoTime() - start;
    }

    /** How many nanoseconds it took to read the newest messages, as a page of the thread is. */
    long timedPage(int messages) {
        long start = System.nanoTime();
        int read =
                database.read(
                                tx -> {
                                    MessageTree tree = store.threads().tree(tx, id);
                                    List<Span> path = tree.path(tree.head(), messages);
                                    return store.messages().newest(tx, id, path, messages);
                                })
                        .size();
        long took = System.nanoTime() - start;
        if (read != messages) {
            throw new IllegalStateException("read " + read + " messages, not " + messages);
        }
        return took;
    }

    static PersistedMessage message() {
        return new PersistedMessage(
                MessageId.random().value(),
                Role.USER,
                List.of(new ContentBlock.Text(TEXT)),
                List.of(),
                null,
                System.currentTimeMillis());
    }
}
