package dev.satchel.server.snapshot;

import dev.satchel.server.conversation.ConversationId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The workspaces of which this process knows that the newest snapshot has all their files. A run
 * that changes none of them needs no look at each file. What is not known here is compared file by
 * file, as after a restart.
 */
final class CompleteSnapshots {
    private static final int MAX_KNOWN = 10_000;

    private final Map<ConversationId, Long> generations =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ConversationId, Long> eldest) {
                    return size() > MAX_KNOWN;
                }
            };

    /** A snapshot of this turn has just been stored, and nothing has been written since. */
    synchronized void saved(ConversationId conversation, long generation) {
        generations.put(conversation, generation);
    }

    /** To be called before a file is written. */
    synchronized void changed(ConversationId conversation) {
        generations.remove(conversation);
    }

    /** Whether the snapshot of this turn is the newest and has all files. */
    synchronized boolean hasAll(ConversationId conversation, long generation) {
        Long known = generations.get(conversation);
        return known != null && known == generation;
    }
}
