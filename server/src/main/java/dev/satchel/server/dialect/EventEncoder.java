package dev.satchel.server.dialect;

import java.util.List;

/** Encodes the events of one run as the JSON objects of one protocol. */
public interface EventEncoder {
    List<Object> encode(StreamEvent event);

    /** Whether each server-sent event is named by the {@code type} of its object. */
    default boolean hasNamedEvents() {
        return false;
    }

    /** Called before the first event that a client does not have, if it has some. */
    default void resumed() {}
}
