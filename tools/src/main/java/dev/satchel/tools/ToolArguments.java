package dev.satchel.tools;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The arguments of a tool call, checked as they are read; every refusal names the field. */
public final class ToolArguments {
    private final JsonNode node;

    private ToolArguments(JsonNode node) {
        this.node = node;
    }

    /** Some models send the object as a string of JSON. */
    public static ToolArguments of(JsonNode given) throws InvalidArgumentException {
        JsonNode node = given;
        if (node.isString()) {
            try {
                node = Json.MAPPER.readTree(node.stringValue());
            } catch (JacksonException _) {
                throw new InvalidArgumentException("arguments must be a JSON object");
            }
        }
        if (!node.isObject()) {
            throw new InvalidArgumentException("arguments must be a JSON object");
        }
        return new ToolArguments(node);
    }

    /** All of the arguments, an object. */
    public JsonNode node() {
        return node;
    }

    public boolean has(String field) {
        return find(field) != null;
    }

    /** The first of the names that is present; a refusal uses the first name. */
    public String string(String... names) throws InvalidArgumentException {
        String value = optionalString(names);
        if (value == null) {
            throw new InvalidArgumentException(names[0] + " is required");
        }
        return value;
    }

    public @Nullable String optionalString(String... names) throws InvalidArgumentException {
        for (String name : names) {
            JsonNode value = find(name);
            if (value == null) {
                continue;
            }
            if (!value.isString()) {
                throw new InvalidArgumentException(name + " must be a string");
            }
            return value.stringValue();
        }
        return null;
    }

    /** A string or an array of strings. */
    public List<String> strings(String... names) throws InvalidArgumentException {
        for (String name : names) {
            JsonNode value = find(name);
            if (value == null) {
                continue;
            }
            if (!value.isArray()) {
                return List.of(string(name));
            }
            List<String> all = new ArrayList<>();
            for (JsonNode item : value) {
                if (!item.isString()) {
                    throw new InvalidArgumentException(name + " must hold strings");
                }
                all.add(item.stringValue());
            }
            return all;
        }
        return List.of();
    }

    public boolean flag(String name, boolean otherwise) throws InvalidArgumentException {
        JsonNode value = find(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw new InvalidArgumentException(name + " must be true or false");
        }
        return value.booleanValue();
    }

    public int number(String name, int otherwise, int min, int max)
            throws InvalidArgumentException {
        JsonNode value = find(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new InvalidArgumentException(name + " must be a whole number");
        }
        int number = value.intValue();
        if (number < min || number > max) {
            throw new InvalidArgumentException(name + " must be from " + min + " to " + max);
        }
        return number;
    }

    public @Nullable JsonNode find(String name) {
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }
}
