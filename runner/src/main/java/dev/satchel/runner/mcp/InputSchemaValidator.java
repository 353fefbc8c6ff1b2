package dev.satchel.runner.mcp;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with the schema of a tool's arguments. Providers refuse a whole request
 * because of one invalid schema. It checks the form of the keywords that JSON Schema 2020-12
 * defines; keywords that it does not know are ignored.
 */
final class InputSchemaValidator {
    private static final int MAX_DEPTH = 40;
    private static final Set<String> TYPES =
            Set.of("array", "boolean", "integer", "null", "number", "object", "string");
    private static final Set<String> NAMED_SCHEMAS =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");
    private static final Set<String> SCHEMAS =
            Set.of(
                    "items",
                    "additionalProperties",
                    "contains",
                    "not",
                    "if",
                    "then",
                    "else",
                    "propertyNames");
    private static final Set<String> SCHEMA_LISTS =
            Set.of("allOf", "anyOf", "oneOf", "prefixItems");
    private static final Set<String> TEXTS =
            Set.of("$ref", "$schema", "$id", "title", "description", "pattern", "format");
    private static final Set<String> NUMBERS =
            Set.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf");
    private static final Set<String> COUNTS =
            Set.of(
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties");

    private InputSchemaValidator() {}

    /** What is wrong, in words for a person; empty when nothing is. */
    static Optional<String> problem(@Nullable Object schema) {
        if (!(schema instanceof Map<?, ?> object)) {
            return Optional.of("it is not an object");
        }
        Object type = object.get("type");
        if (type != null && !type.equals("object")) {
            return Optional.of("its type is not object");
        }
        return problem(object, "", 0);
    }

    private static Optional<String> problem(@Nullable Object schema, String at, int depth) {
        if (schema instanceof Boolean) {
            return Optional.empty();
        }
        if (!(schema instanceof Map<?, ?> keywords)) {
            return Optional.of(at + " is not a schema");
        }
        if (depth > MAX_DEPTH) {
            return Optional.of("it is nested more than " + MAX_DEPTH + " levels deep");
        }
        return keywords.entrySet().stream()
                .map(
                        keyword ->
                                keywordProblem(
                                        String.valueOf(keyword.getKey()),
                                        keyword.getValue(),
                                        at,
                                        depth))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> keywordProblem(
            String keyword, @Nullable Object value, String parent, int depth) {
        String at = parent + "/" + keyword;
        if (SCHEMAS.contains(keyword)) {
            return problem(value, at, depth + 1);
        }
        if (NAMED_SCHEMAS.contains(keyword)) {
            return value instanceof Map<?, ?> named
                    ? named.entrySet().stream()
                            .map(e -> problem(e.getValue(), at + "/" + e.getKey(), depth + 1))
                            .flatMap(Optional::stream)
                            .findFirst()
                    : Optional.of(at + " is not an object");
        }
        if (SCHEMA_LISTS.contains(keyword)) {
            return value instanceof List<?> list && !list.isEmpty()
                    ? list.stream()
                            .map(each -> problem(each, at, depth + 1))
                            .flatMap(Optional::stream)
                            .findFirst()
                    : Optional.of(at + " is not a list of schemas");
        }
        return hasForm(keyword, value)
                ? Optional.empty()
                : Optional.of(at + " does not have the form that JSON Schema defines");
    }

    private static boolean hasForm(String keyword, @Nullable Object value) {
        if (TEXTS.contains(keyword)) {
            return value instanceof String;
        }
        if (NUMBERS.contains(keyword)) {
            return value instanceof Number;
        }
        if (COUNTS.contains(keyword)) {
            return value instanceof Number count && count.doubleValue() >= 0;
        }
        return switch (keyword) {
            case "type" ->
                    isType(value)
                            || (value instanceof List<?> types
                                    && !types.isEmpty()
                                    && types.stream().allMatch(InputSchemaValidator::isType));
            case "required" ->
                    value instanceof List<?> names
                            && names.stream().allMatch(String.class::isInstance);
            case "enum" -> value instanceof List<?>;
            default -> true;
        };
    }

    private static boolean isType(@Nullable Object value) {
        return value instanceof String type && TYPES.contains(type);
    }
}
