package dev.satchel.server.dialect.a2a;

import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.StreamEvent;
import java.util.List;

/** Puts each event of a task into a response to the request of its stream. */
record RpcEncoder(TaskEncoder task, A2aRequest request) implements EventEncoder {
    @Override
    public List<Object> encode(StreamEvent event) {
        return task.encode(event).stream().<Object>map(request::result).toList();
    }
}
