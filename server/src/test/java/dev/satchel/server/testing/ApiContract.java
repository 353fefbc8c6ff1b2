package dev.satchel.server.testing;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ApiDocument.DocumentedPath;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Checks responses of the server against the OpenAPI document: path, method, status, content type
 * and body. Thread-safe.
 */
public final class ApiContract {
    private static final ApiDocument DOCUMENT = new ApiDocument();

    /** Requests between servers and to runners are not part of the API. */
    private static final List<String> INTERNAL = List.of("/internal/", "/workspaces/");

    /** The introduction of the document says that any operation may return these. */
    private static final Set<Integer> OF_ALL_OPERATIONS = Set.of(503, 507);

    /**
     * A response to check.
     *
     * @param path the path of the request as sent, without the query
     * @param contentType without its parameters; empty when there is none
     * @param body null when the client has not read all of it
     */
    public record Response(
            String method, String path, int status, String contentType, @Nullable String body) {
        static Response of(HttpResponse<?> response, @Nullable String body) {
            String contentType = response.headers().firstValue("Content-Type").orElse("");
            return new Response(
                    response.request().method(),
                    response.uri().getRawPath(),
                    response.statusCode(),
                    contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT),
                    body);
        }

        @Override
        public String toString() {
            return method + " " + path + " → " + status + " " + contentType;
        }

        boolean isHead() {
            return method.equals("HEAD");
        }
    }

    private ApiContract() {}

    public static void check(Response response) {
        Optional<DocumentedPath> path = DOCUMENT.find(response.method(), response.path());
        if (INTERNAL.stream().anyMatch(response.path()::startsWith)) {
            return;
        }
        if (path.isEmpty()) {
            checkNoRoute(response, DOCUMENT.has(response.path()) ? 405 : 404);
            return;
        }
        JsonNode operation = path.get().operation(response.method()).orElseThrow();
        String status = Integer.toString(response.status());
        JsonNode documented = DOCUMENT.resolve(operation.path("responses").path(status));
        if (documented.isMissingNode()) {
            if (!OF_ALL_OPERATIONS.contains(response.status())) {
                throw violation(response, "the status is not documented", body(response));
            }
            checkError(response);
            return;
        }
        JsonNode content = documented.path("content");
        if (content.isMissingNode()) {
            checkEmpty(response);
            return;
        }
        String mediaType = mediaType(response, content);
        if (response.isHead() || response.body() == null) {
            return;
        }
        if (mediaType.equals("application/json") || mediaType.endsWith("+json")) {
            String method = response.method().toLowerCase(Locale.ROOT);
            validate(
                    response,
                    DOCUMENT.schema(path.get(), method, status, mediaType),
                    parse(response));
        } else if (hasRunEvents(response)) {
            events(body(response)).forEach(event -> checkRunEvent(response, event));
        }
    }

    /** Whether the document says that a stream consists of the events of a run. */
    static boolean hasRunEvents(Response response) {
        return DOCUMENT.find(response.method(), response.path())
                .flatMap(path -> path.operation(response.method()))
                .map(operation -> operation.path("responses").path("" + response.status()))
                .map(documented -> DOCUMENT.resolve(documented).path("content"))
                .map(content -> content.path(response.contentType()))
                .filter(content -> content.at("/schema/contentSchema").isObject())
                .isPresent();
    }

    static void checkRunEvent(Response response, JsonNode event) {
        validate(response, DOCUMENT.component("RunEvent"), event);
    }

    /** The events of a whole stream, of either media type. */
    private static Stream<JsonNode> events(String body) {
        return body.lines()
                .map(line -> line.startsWith("data: ") ? line.substring(6) : line)
                .filter(line -> line.startsWith("{"))
                .map(Json.MAPPER::readTree);
    }

    /** A path or method that no route has gets the usual error. */
    private static void checkNoRoute(Response response, int expected) {
        if (response.status() != expected) {
            throw violation(response, "the operation is not documented", body(response));
        }
        checkError(response);
    }

    private static void checkError(Response response) {
        if (response.isHead() || response.body() == null) {
            return;
        }
        validate(response, DOCUMENT.component(errorSchema(response.path())), parse(response));
    }

    /** Some groups of routes have errors in the format of their clients. */
    private static String errorSchema(String path) {
        if (path.startsWith("/api/sessions")) {
            return "SessionError";
        }
        return path.startsWith("/v1/") ? "OpenAiError" : "Problem";
    }

    private static void checkEmpty(Response response) {
        if (!response.contentType().isEmpty() || !body(response).isEmpty()) {
            throw violation(response, "the document has no body", body(response));
        }
    }

    private static String mediaType(Response response, JsonNode content) {
        return Stream.of(response.contentType(), "*/*")
                .filter(content::has)
                .findFirst()
                .orElseThrow(
                        () ->
                                violation(
                                        response,
                                        "the content type is not one of " + content.propertyNames(),
                                        body(response)));
    }

    private static JsonNode parse(Response response) {
        try {
            return Json.MAPPER.readTree(body(response));
        } catch (JacksonException e) {
            throw violation(response, "the body is not JSON", body(response));
        }
    }

    private static void validate(Response response, Schema schema, JsonNode value) {
        List<Error> errors = schema.validate(value);
        if (!errors.isEmpty()) {
            throw violation(response, errors.toString(), value.toString());
        }
    }

    private static String body(Response response) {
        return Objects.requireNonNullElse(response.body(), "");
    }

    private static AssertionError violation(Response response, String problem, String body) {
        String shown = body.length() <= 2_000 ? body : body.substring(0, 2_000) + "…";
        return new AssertionError(
                response + " does not agree with openapi.yaml: " + problem + "\n" + shown);
    }
}
