package dev.satchel.runner.mcp;

import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
        List<ElicitedField> fields = fields();
        return fields.size() < 2
                ? message
                : message
                        + "\nAnswer with one line for each: "
                        + fields.stream()
                                .map(ElicitedField::described)
                                .collect(Collectors.joining("; "));
    }

    /** The answers to choose from. */
    public List<String> options() {
        List<ElicitedField> fields = fields();
        return fields.size() == 1 ? fields.getFirst().options() : List.of();
    }

    /** The answer of the person in the form that the server wants. */
    Map<String, Object> content(String answer) {
        Optional<Map<String, Object>> object = object(answer);
        if (object.isPresent()) {
            return object.get();
        }
        List<ElicitedField> fields = fields();
        Map<String, Object> content = new HashMap<>();
        if (fields.size() != 1) {
            for (String line : answer.lines().toList()) {
                String[] parts = line.split("[:=]", 2);
                for (ElicitedField field : fields) {
                    if (parts.length == 2 && field.name().equalsIgnoreCase(parts[0].strip())) {
                        content.put(field.name(), field.value(parts[1]));
                    }
                }
            }
        }
        if (content.isEmpty()) { // without names of fields it answers the one that matters
            onlyField(fields).ifPresent(field -> content.put(field.name(), field.value(answer)));
        }
        return content;
    }

    private Optional<ElicitedField> onlyField(List<ElicitedField> fields) {
        JsonNode required = schema.path("required");
        return fields.size() == 1
                ? Optional.of(fields.getFirst())
                : fields.stream()
                        .filter(_ -> required.size() == 1)
                        .filter(field -> field.name().equals(required.path(0).asString("")))
                        .findFirst();
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

    private List<ElicitedField> fields() {
        return schema.path("properties").properties().stream()
                .map(field -> new ElicitedField(field.getKey(), field.getValue()))
                .toList();
    }
}
