package dev.satchel.runner.journal;

import dev.satchel.protocol.InboxContent;
import java.io.IOException;

/** Asks the server what an agent must know before it goes on. */
@FunctionalInterface
public interface Inbox {
    /** Returns when the journal is durable up to the line with this number. */
    InboxContent read(long journalLine) throws IOException, InterruptedException;
}
