package dev.satchel.client;

import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.JsonNode;

/**
 * Something the server told, with the JSON it came as: that holds also what a newer server says and
 * this client does not know. Written again, it is that JSON.
 */
public interface ServerObject {
    @JsonValue
    JsonNode json();
}
