package dev.satchel.server.mcp;

import dev.satchel.server.conversation.ConversationId;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** At most so many calls of one conversation in one minute of the clock. */
final class CallRate {
    private static final int PER_MINUTE = 3000;
    private static final long MINUTE = 60_000;

    private final Clock clock;
    private final Map<ConversationId, Integer> calls = new HashMap<>();
    private long minute;

    CallRate(Clock clock) {
        this.clock = clock;
    }

    synchronized boolean allows(ConversationId conversation) {
        long now = clock.millis() / MINUTE;
        if (now != minute) {
            minute = now;
            calls.clear();
        }
        return calls.merge(conversation, 1, Integer::sum) <= PER_MINUTE;
    }
}
