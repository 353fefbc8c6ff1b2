package dev.satchel.server.mcp;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The arguments of a file tool with every path validated. Of several paths the valid ones are used;
 * if none is valid, the first refusal is the result.
 */
record FileToolArguments(
        ObjectNode arguments, List<String> given, PathValidator.Result.@Nullable Refused refused) {
    private static final List<String> PATHS = List.of("path", "file_path", "paths");

    /** More than a conversation has files. */
    private static final int MAX_PATHS = 1_000;

    FileToolArguments {
        given = List.copyOf(given);
    }

    static FileToolArguments validate(JsonNode arguments, PathValidator paths) {
        ObjectNode copy = object(arguments);
        List<String> given = new ArrayList<>();
        PathValidator.Result.Refused refused = null;
        for (String name : PATHS) {
            JsonNode value = copy.get(name);
            if (value == null || (!value.isString() && !value.isArray())) {
                continue; // of the wrong type: the tool refuses it
            }
            if (value.size() > MAX_PATHS) {
                refused = new PathValidator.Result.Refused(name, "too_many");
                continue;
            }
            ArrayNode allowed = Json.MAPPER.createArrayNode();
            PathValidator.Result.Refused first = null;
            for (JsonNode path :
                    value.isArray() ? value : Json.MAPPER.createArrayNode().add(value)) {
                given.add(path.stringValue(""));
                switch (paths.validate(path.stringValue(""))) {
                    case PathValidator.Result.Allowed valid -> allowed.add(valid.path());
                    case PathValidator.Result.Refused no -> first = first == null ? no : first;
                }
            }
            refused = allowed.isEmpty() && refused == null ? first : refused;
            copy.set(name, value.isArray() ? allowed : allowed.path(0));
        }
        return new FileToolArguments(copy, given, refused);
    }

    /** Some agents send the object as a string of JSON. */
    private static ObjectNode object(JsonNode arguments) {
        if (arguments.isString()) {
            try {
                return object(Json.MAPPER.readTree(arguments.stringValue()));
            } catch (JacksonException e) {
                return Json.MAPPER.createObjectNode();
            }
        }
        return arguments instanceof ObjectNode object
                ? object.deepCopy()
                : Json.MAPPER.createObjectNode();
    }
}
