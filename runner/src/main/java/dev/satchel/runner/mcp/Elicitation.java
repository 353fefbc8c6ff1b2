package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a server asks the person during a call. The connection cannot wait for weeks, so the call
 * ends and the run asks. When the model calls the tool again, the server asks again and gets the
 * answer.
 *
 * @param schema of the answer: an object of simple values
 */
public record Elicitation(String message, JsonNode schema) {
    private static final String FIELD = "elicitation";
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    private static final Set<String> YES = Set.of("yes", "y", "true", "ja", "1");

    /** The result of a call in which a server asked. */
    ToolResult result(String server) {
        ObjectNode detail = Json.MAPPER.createObjectNode();
        detail.putObject(FIELD).put("message", message).set("schema", schema);
        return ToolResult.failure(
                "The MCP server "
                        + server
                        + " asked the person, so the call was cancelled: "
                        + message,
                detail);
    }

    /** What a server asked in the call of this result, if it did. */
    public static Optional<Elicitation> of(ToolResult result) {
        JsonNode asked = result.detail().path(FIELD);
        return result.succeeded() || !asked.isObject()
                ? Optional.empty()
                : Optional.of(
                        new Elicitation(asked.path("message").asString(""), asked.path("schema")));
    }

    /** The question for the person, with the fields that the answer needs. */
    public String question() {
        List<String> fields = new ArrayList<>();
        properties().forEach((name, property) -> fields.add(described(name, property)));
        return fields.size() < 2
                ? message
                : message + "\nAnswer with one line for each: " + String.join("; ", fields);
    }

    private static String described(String name, JsonNode property) {
        String text = property.path("description").asString(property.path("title").asString(""));
        return name + ": " + (text.isEmpty() ? property.path("type").asString("text") : text);
    }

    /** The answers to choose from. */
    public List<String> options() {
        Map<String, JsonNode> properties = properties();
        if (properties.size() != 1) {
            return List.of();
        }
        JsonNode only = properties.values().iterator().next();
        if (only.path("type").asString("").equals("boolean")) {
            return List.of("yes", "no");
        }
        List<String> options = new ArrayList<>();
        only.path("enum").forEach(option -> options.add(option.asString("")));
        return options;
    }

    /** The answer of the person in the form that the server wants. */
    Map<String, Object> content(String answer) {
        Optional<Map<String, Object>> object = object(answer);
        if (object.isPresent()) {
            return object.get();
        }
        Map<String, JsonNode> properties = properties();
        Map<String, Object> content = new HashMap<>();
        if (properties.size() == 1) {
            properties.forEach((name, property) -> content.put(name, value(answer, property)));
            return content;
        }
        for (String line : answer.lines().toList()) {
            String[] parts = line.split("[:=]", 2);
            JsonNode property = properties.get(parts[0].strip());
            if (parts.length == 2 && property != null) {
                content.put(parts[0].strip(), value(parts[1], property));
            }
        }
        return content;
    }

    private static Optional<Map<String, Object>> object(String answer) {
        try {
            return answer.strip().startsWith("{")
                    ? Optional.of(Json.MAPPER.readValue(answer, OBJECT))
                    : Optional.empty();
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    private static Object value(String answer, JsonNode property) {
        String text = answer.strip();
        try {
            return switch (property.path("type").asString("string")) {
                case "boolean" -> YES.contains(text.toLowerCase(Locale.ROOT));
                case "integer" -> Long.parseLong(text);
                case "number" -> Double.parseDouble(text);
                default -> text;
            };
        } catch (NumberFormatException _) {
            return text; // the server refuses it in its own words
        }
    }

    private Map<String, JsonNode> properties() {
        Map<String, JsonNode> properties = new LinkedHashMap<>();
        schema.path("properties")
                .properties()
                .forEach(p -> properties.put(p.getKey(), p.getValue()));
        return properties;
    }
}
