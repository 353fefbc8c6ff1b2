package dev.satchel.runner.model;

import dev.satchel.tools.ToolDescription;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A wire format: how a request is written and how a reply is read. */
interface ModelApi {
    /** The body of a request. Equal histories give equal bytes, so that providers can cache. */
    JsonNode request(ChatHistory history, List<ToolDescription> tools);

    ReplyReader reader(ReplyListener listener);

    /** Reads one reply. */
    interface ReplyReader {
        /** One event of the stream. */
        void event(String data) throws IOException, ModelException;

        /** The whole reply of a server that does not stream. */
        void whole(JsonNode body) throws IOException, ModelException;

        /** The reply at the end of the stream; an exception when the stream ended too early. */
        ModelReply reply() throws IOException, ModelException;
    }
}
