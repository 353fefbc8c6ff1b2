package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.JsonNode;

/**
 * An object from the server with its JSON, which also holds members of newer servers that this
 * client does not know. It is serialized as that JSON.
 */
public interface ServerObject {
    @JsonValue
    JsonNode json();
}
