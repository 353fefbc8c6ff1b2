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
 * The arguments of a file tool with every path in them judged. Of several paths those that lead
 * somewhere are kept; when none does, the first refusal stands.
 */
record FileToolArguments(
        ObjectNode arguments, List<String> given, PathValidator.Verdict.@Nullable Refused refused) {
    private static final List<String> PATHS = List.of("path", "file_path", "paths");

    /** More than a conversation has files; each is looked for. */
    private static final int MAX_PATHS = 1_000;

    FileToolArguments {
        given = List.copyOf(given);
    }

    static FileToolArguments judge(JsonNode arguments, PathValidator gate) {
        ObjectNode copy = object(arguments);
        List<String> given = new ArrayList<>();
        PathValidator.Verdict.Refused refused = null;
        for (String name : PATHS) {
            JsonNode value = copy.get(name);
            if (value == null || (!value.isString() && !value.isArray())) {
                continue; // of the wrong kind: the tool itself says so
            }
            if (value.size() > MAX_PATHS) {
                refused = new PathValidator.Verdict.Refused(name, "too_many");
                continue;
            }
            ArrayNode passed = Json.MAPPER.createArrayNode();
            PathValidator.Verdict.Refused first = null;
            for (JsonNode path :
                    value.isArray() ? value : Json.MAPPER.createArrayNode().add(value)) {
                given.add(path.stringValue(""));
                switch (gate.judge(path.stringValue(""))) {
                    case PathValidator.Verdict.Passed through -> passed.add(through.path());
                    case PathValidator.Verdict.Refused no -> first = first == null ? no : first;
                }
            }
            refused = passed.isEmpty() && refused == null ? first : refused;
            copy.set(name, value.isArray() ? passed : passed.path(0));
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
