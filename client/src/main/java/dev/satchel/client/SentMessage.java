package dev.satchel.client;

/** What became of a message that may wait for its turn. */
public sealed interface SentMessage {
    /** Its run answers it; the caller closes the events. */
    record Started(RunEvents events) implements SentMessage {}

    /** It waits at this place, counted from 1. */
    record Queued(String messageId, int position) implements SentMessage {}
}
