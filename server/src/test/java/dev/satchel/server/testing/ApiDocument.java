package dev.satchel.server.testing;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI document as a test needs it: finds the path of a request, and compiles each schema
 * once. Objects are closed: a field that the document does not have is an error, although clients
 * must ignore it. Thread-safe.
 */
final class ApiDocument {
    private static final String ADDRESS = "https://satchel.invalid/openapi.json";
    private static final String OTHERS = "additionalProperties";
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

    /** A path of the document and its operations. */
    record DocumentedPath(String template, Pattern pattern, JsonNode operations) {
        Optional<JsonNode> operation(String method) {
            String name = method.toLowerCase(Locale.ROOT);
            String wanted = name.equals("head") && !operations.has("head") ? "get" : name;
            return Optional.ofNullable(operations.get(wanted));
        }
    }

    private final JsonNode document = read();
    private final List<DocumentedPath> paths;
    private final SchemaRegistry registry;
    private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

    ApiDocument() {
        paths =
                document.path("paths")
                        .propertyStream()
                        .sorted(Comparator.comparing(path -> rank(path.getKey())))
                        .map(
                                path ->
                                        new DocumentedPath(
                                                path.getKey(),
                                                pattern(path.getKey()),
                                                path.getValue()))
                        .toList();
        JsonNode closed = document.deepCopy();
        close(closed);
        SchemaRegistryConfig config =
                SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
        registry =
                SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12,
                        builder ->
                                builder.schemaRegistryConfig(config)
                                        .schemas(Map.of(ADDRESS, closed.toString())));
    }

    /** Whether any operation has the path. */
    boolean has(String path) {
        return paths.stream().anyMatch(one -> one.pattern().matcher(path).matches());
    }

    /** The path of an operation; literal parts of a path go before parameters, as in the server. */
    Optional<DocumentedPath> find(String method, String path) {
        return paths.stream()
                .filter(one -> one.pattern().matcher(path).matches())
                .filter(one -> one.operation(method).isPresent())
                .findFirst();
    }

    JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(pointer(node)) : node;
    }

    /** The schema of a component, such as {@code Problem}. */
    Schema component(String name) {
        return schema("/components/schemas/" + name);
    }

    /** The schema of a media type of a response. */
    Schema schema(DocumentedPath path, String method, String status, String mediaType) {
        String name = path.operations().has(method) ? method : "get";
        String response = "/paths/" + escape(path.template()) + "/" + name + "/responses/" + status;
        JsonNode reference = document.at(response);
        String base = reference.has("$ref") ? pointer(reference) : response;
        String schema = base + "/content/" + escape(mediaType) + "/schema";
        String content = schema + "/contentSchema"; // of bytes
        return schema(document.at(content).isMissingNode() ? schema : content);
    }

    private Schema schema(String pointer) {
        return schemas.computeIfAbsent(
                pointer, one -> registry.getSchema(SchemaLocation.of(ADDRESS + "#" + one)));
    }

    /** Refuses further properties of objects that do not mention them. */
    private static void close(JsonNode node) {
        if (node instanceof ObjectNode schema
                && schema.path("properties").isObject()
                && (schema.path("type").isString() || schema.path("type").isArray())
                && !schema.has(OTHERS)) {
            schema.put(OTHERS, false);
        }
        node.forEach(ApiDocument::close);
    }

    private static String pointer(JsonNode reference) {
        return reference.path("$ref").stringValue("").substring(1);
    }

    private static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }

    private static String rank(String template) {
        return PARAMETER.matcher(template).replaceAll("\uffff");
    }

    /** A parameter is one part of a path; only {@code path} may contain slashes. */
    private static Pattern pattern(String template) {
        String quoted = "\\Q" + template + "\\E";
        return Pattern.compile(
                PARAMETER
                        .matcher(quoted)
                        .replaceAll(
                                found ->
                                        found.group(1).equals("path")
                                                ? "\\\\E.*\\\\Q"
                                                : "\\\\E[^/]+\\\\Q"));
    }

    private static ObjectNode read() {
        try (InputStream in = ApiDocument.class.getResourceAsStream("/docs/openapi.json")) {
            return (ObjectNode) Json.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
