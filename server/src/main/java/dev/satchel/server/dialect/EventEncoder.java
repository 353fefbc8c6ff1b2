package dev.satchel.server.dialect;

import java.util.List;

/** Encodes the events of one run as the JSON objects of one protocol. */
public interface EventEncoder {
    List<Object> encode(StreamEvent event);
}
