package dev.satchel.runner.tool;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What a model passed to a tool, read with suspicion: every complaint names the field. */
final class Arguments {
    private final JsonNode node;

    private Arguments(JsonNode node) {
        this.node = node;
    }

    /** Some models send the object as a string of JSON. */
    static Arguments of(JsonNode given) throws BadArgumentException {
        JsonNode node = given;
        if (node.isString()) {
            try {
                node = Json.MAPPER.readTree(node.stringValue());
            } catch (JacksonException _) {
                throw new BadArgumentException("arguments must be a JSON object");
            }
        }
        if (!node.isObject()) {
            throw new BadArgumentException("arguments must be a JSON object");
        }
        return new Arguments(node);
    }

    boolean has(String field) {
        return find(field) != null;
    }

    /** The first of the names that is given; the first name is the one complaints use. */
    String string(String... names) throws BadArgumentException {
        String value = optionalString(names);
        if (value == null) {
            throw new BadArgumentException(names[0] + " is required");
        }
        return value;
    }

    @Nullable String optionalString(String... names) throws BadArgumentException {
        for (String name : names) {
            JsonNode value = find(name);
            if (value == null) {
                continue;
            }
            if (!value.isString()) {
                throw new BadArgumentException(name + " must be a string");
            }
            return value.stringValue();
        }
        return null;
    }

    /** A string or an array of strings. */
    List<String> strings(String... names) throws BadArgumentException {
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
                    throw new BadArgumentException(name + " must hold strings");
                }
                all.add(item.stringValue());
            }
            return all;
        }
        return List.of();
    }

    boolean flag(String name, boolean otherwise) throws BadArgumentException {
        JsonNode value = find(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw new BadArgumentException(name + " must be true or false");
        }
        return value.booleanValue();
    }

    int number(String name, int otherwise, int min, int max) throws BadArgumentException {
        JsonNode value = find(name);
        if (value == null) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new BadArgumentException(name + " must be a whole number");
        }
        int number = value.intValue();
        if (number < min || number > max) {
            throw new BadArgumentException(name + " must be from " + min + " to " + max);
        }
        return number;
    }

    @Nullable JsonNode find(String name) {
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }
}
