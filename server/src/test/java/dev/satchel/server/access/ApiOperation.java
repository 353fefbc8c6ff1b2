package dev.satchel.server.access;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** An operation of the OpenAPI document, and whom it admits. */
record ApiOperation(String method, String template, JsonNode node) {
    private static final List<String> ROLES = List.of("viewer", "member", "owner", "operator");

    static List<ApiOperation> all() {
        try (InputStream in = ApiOperation.class.getResourceAsStream("/docs/openapi.json")) {
            return Json.MAPPER
                    .readTree(Objects.requireNonNull(in))
                    .path("paths")
                    .propertyStream()
                    .flatMap(
                            path ->
                                    path.getValue()
                                            .propertyStream()
                                            .filter(one -> one.getValue().has("operationId"))
                                            .map(
                                                    one ->
                                                            new ApiOperation(
                                                                    one.getKey()
                                                                            .toUpperCase(
                                                                                    Locale.ROOT),
                                                                    path.getKey(),
                                                                    one.getValue())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has a role; the others are open to everybody. */
    boolean isDeclared() {
        return node.has("x-satchel-role");
    }

    boolean admits(String role, List<String> scopes) {
        String wanted = node.get("x-satchel-role").stringValue();
        List<String> any =
                node.path("x-satchel-scope").valueStream().map(JsonNode::stringValue).toList();
        return ROLES.indexOf(role) >= ROLES.indexOf(wanted)
                && (any.isEmpty() || any.stream().anyMatch(scopes::contains));
    }

    /** Whose things its parameters name: person, tenant or server; empty without parameters. */
    String of() {
        return node.path("x-satchel-of").stringValue("");
    }

    boolean hasParameters() {
        return template.contains("{");
    }

    boolean hasBody() {
        return List.of("POST", "PUT", "PATCH").contains(method);
    }

    @Override
    public String toString() {
        return method + " " + template;
    }
}
