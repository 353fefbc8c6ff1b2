package dev.satchel.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.Route;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.PermittedHandler;
import dev.satchel.server.application.Application;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Compares the routes with the OpenAPI document, and checks the form of the document. */
class OpenApiTest {
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

    private record Operation(String method, String path, JsonNode node) {
        @Override
        public String toString() {
            return method.toUpperCase(Locale.ROOT) + " " + path;
        }
    }

    private JsonNode document;

    @BeforeEach
    void read() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("/docs/openapi.json")) {
            document = Json.MAPPER.readTree(in);
        }
    }

    @Test
    void everyRouteIsDescribedAndEveryDescriptionIsARoute(@TempDir Path data) throws Exception {
        Map<String, String> flags = Map.of("--data", data.toString());
        Configuration configuration =
                ConfigurationReader.read(flags, List.of(), Map.of()).configuration();
        Set<String> routes = new TreeSet<>();
        try (Application application =
                new Application(configuration, Clock.systemUTC(), Clock.systemUTC())) {
            application.routes().stream()
                    .map(route -> route.method() + " " + route.template().replace("*}", "}"))
                    .forEach(routes::add);
        }

        Set<String> described = new TreeSet<>();
        operations().forEach(operation -> described.add(operation.toString()));

        assertThat(described).isEqualTo(routes);
    }

    /**
     * The document prints what each route declares, so that nothing else decides who may call it.
     */
    @Test
    void everyOperationHasTheRoleAndTheScopeOfItsRoute(@TempDir Path data) throws Exception {
        Map<String, String> flags = Map.of("--data", data.toString());
        Configuration configuration =
                ConfigurationReader.read(flags, List.of(), Map.of()).configuration();
        Map<String, String> declared = new TreeMap<>();
        try (Application application =
                new Application(configuration, Clock.systemUTC(), Clock.systemUTC())) {
            for (Route route : application.routes()) {
                if (route.handler() instanceof PermittedHandler permitted) {
                    Permission permission = permitted.permission();
                    declared.put(
                            route.method() + " " + route.template().replace("*}", "}"),
                            permission.roleWord() + " " + permission.scopeWords());
                }
            }
        }

        Map<String, String> described = new TreeMap<>();
        for (Operation operation : operations()) {
            JsonNode role = operation.node().path("x-satchel-role");
            if (role.isString()) {
                List<String> scopes =
                        operation
                                .node()
                                .path("x-satchel-scope")
                                .valueStream()
                                .map(JsonNode::stringValue)
                                .toList();
                described.put(operation.toString(), role.stringValue() + " " + scopes);
            }
        }

        assertThat(described).isEqualTo(declared);
        assertThat(declared).hasSizeGreaterThan(100);
    }

    @Test
    void itIsOpenApi31WithATitleAndAVersion() {
        assertThat(document.path("openapi").stringValue()).startsWith("3.1.");
        assertThat(document.at("/info/title").stringValue()).isNotBlank();
        assertThat(document.at("/info/version").stringValue()).isNotBlank();
        assertThat(document.propertyNames())
                .isSubsetOf(
                        "openapi",
                        "info",
                        "jsonSchemaDialect",
                        "servers",
                        "paths",
                        "webhooks",
                        "components",
                        "security",
                        "tags",
                        "externalDocs");
    }

    @Test
    void everyOperationHasAnIdASummaryAndResponses() {
        Set<String> ids = new TreeSet<>();
        for (Operation operation : operations()) {
            JsonNode node = operation.node();
            assertThat(node.path("summary").stringValue("")).as("%s", operation).isNotBlank();
            assertThat(ids.add(node.path("operationId").stringValue("")))
                    .as("%s", operation)
                    .isTrue();
            assertThat(node.path("responses").isEmpty()).as("%s", operation).isFalse();
            node.path("responses")
                    .propertyStream()
                    .forEach(
                            response -> {
                                assertThat(response.getKey())
                                        .as("%s", operation)
                                        .matches("[1-5]\\d\\d|default");
                                boolean complete =
                                        response.getValue().has("$ref")
                                                || response.getValue().has("description");
                                assertThat(complete).as("%s", operation).isTrue();
                            });
        }
    }

    @Test
    void everyPathParameterIsDeclared() {
        for (Operation operation : operations()) {
            Set<String> inPath = new TreeSet<>();
            Matcher matcher = PARAMETER.matcher(operation.path());
            while (matcher.find()) {
                inPath.add(matcher.group(1));
            }
            Set<String> declared = new TreeSet<>();
            for (JsonNode parameter : parameters(operation)) {
                if (parameter.path("in").stringValue("").equals("path")) {
                    assertThat(parameter.path("required").booleanValue())
                            .as("%s", operation)
                            .isTrue();
                    declared.add(parameter.path("name").stringValue(""));
                }
            }
            assertThat(declared).as("%s", operation).isEqualTo(inPath);
        }
    }

    @Test
    void everyErrorHasTheFormOfItsRoute() {
        for (Operation operation : operations()) {
            String expected = "#/components/schemas/" + errorOf(operation.path());
            operation
                    .node()
                    .path("responses")
                    .propertyStream()
                    .filter(response -> response.getKey().startsWith("4"))
                    .flatMap(
                            response -> resolved(response.getValue()).path("content").valueStream())
                    .map(content -> content.at("/schema/$ref"))
                    .filter(JsonNode::isString)
                    .filter(schema -> !schema.stringValue().endsWith("/JsonRpcMessage"))
                    .forEach(
                            schema ->
                                    assertThat(schema.stringValue())
                                            .as("%s", operation)
                                            .isEqualTo(expected));
        }
    }

    private static String errorOf(String path) {
        if (path.startsWith("/v1/")) {
            return "OpenAiError";
        }
        return path.startsWith("/api/sessions") ? "SessionError" : "Problem";
    }

    @Test
    void everyClosedRequestBodyRefusesUnknownFields() {
        Set<String> lenient =
                Set.of("sessions", "agent-server", "dialects", "openai", "a2a", "mcp", "sandbox");
        for (Operation operation : operations()) {
            JsonNode schema = operation.node().at("/requestBody/content/application~1json/schema");
            if (schema.isMissingNode()) {
                continue;
            }
            String tag = operation.node().at("/tags/0").stringValue("");
            JsonNode unknown = resolved(schema).path("additionalProperties");
            assertThat(unknown.isBoolean() && !unknown.booleanValue())
                    .as("%s", operation)
                    .isEqualTo(!lenient.contains(tag));
        }
    }

    /** The other writes use one-time tokens or end the session that they need. */
    @Test
    void everyAuthenticatedWriteTakesAnIdempotencyKey() {
        Set<String> safe = Set.of("GET", "HEAD", "OPTIONS");
        for (Operation operation : operations()) {
            boolean keyed =
                    parameters(operation).stream()
                            .anyMatch(
                                    one ->
                                            one.path("name")
                                                    .stringValue("")
                                                    .equals("Idempotency-Key"));
            boolean outside =
                    Set.of("/login", "/login/password", "/logout", "/mcp")
                                    .contains(operation.path())
                            || operation.path().startsWith("/api/assistant/sandbox/");
            assertThat(keyed)
                    .as("%s refers to #/components/parameters/idempotencyKey", operation)
                    .isEqualTo(!outside && !safe.contains(operation.method()));
        }
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        for (JsonNode reference : document.findValues("$ref")) {
            String target = reference.stringValue();
            assertThat(target).startsWith("#/");
            assertThat(document.at(target.substring(1)).isMissingNode()).as(target).isFalse();
        }
    }

    @Test
    void everySecurityRequirementAndTagIsDefined() {
        Set<String> schemes =
                new TreeSet<>(document.at("/components/securitySchemes").propertyNames());
        List<String> tags =
                document.path("tags")
                        .valueStream()
                        .map(tag -> tag.path("name").stringValue(""))
                        .toList();
        for (Operation operation : operations()) {
            operation
                    .node()
                    .path("security")
                    .valueStream()
                    .forEach(one -> assertThat(schemes).containsAll(one.propertyNames()));
            operation
                    .node()
                    .path("tags")
                    .valueStream()
                    .forEach(tag -> assertThat(tags).contains(tag.stringValue("")));
        }
    }

    private List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.path("paths")
                .propertyStream()
                .forEach(
                        path ->
                                path.getValue()
                                        .propertyStream()
                                        .filter(entry -> METHODS.contains(entry.getKey()))
                                        .map(
                                                entry ->
                                                        new Operation(
                                                                entry.getKey()
                                                                        .toUpperCase(Locale.ROOT),
                                                                path.getKey(),
                                                                entry.getValue()))
                                        .forEach(operations::add));
        return operations;
    }

    /** The parameters of the operation and of its path, with references resolved. */
    private List<JsonNode> parameters(Operation operation) {
        List<JsonNode> all = new ArrayList<>();
        operation.node().path("parameters").forEach(all::add);
        document.path("paths").path(operation.path()).path("parameters").forEach(all::add);
        return all.stream().map(this::resolved).toList();
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref")
                ? document.at(node.path("$ref").stringValue("").substring(1))
                : node;
    }
}
