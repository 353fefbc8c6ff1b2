package dev.satchel.server.sandbox.docker;

import dev.satchel.protocol.Json;
import dev.satchel.server.sandbox.SandboxFailedException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** A client of the Docker Engine API, with the calls that Docker and podman share. */
final class DockerEngine {
    /** Supported by Docker since 20.10 and podman since 3.0. */
    private static final String VERSION = "/v1.41";

    private static final int NOT_FOUND = 404;
    private static final int BEING_REMOVED = 409;

    private final EngineSocket socket;

    DockerEngine(Path socket) {
        this.socket = new EngineSocket(socket);
    }

    /** A container, running or stopped. */
    record Container(String id, Map<String, String> labels) {}

    /** Podman masks parts of /proc unless an option forbids it that Docker does not have. */
    boolean isPodman() throws IOException {
        return get("/version").path("Components").toString().contains("Podman");
    }

    void requireImage(String image) throws IOException {
        get("/images/" + encoded(image) + "/json");
    }

    String create(String name, Map<String, Object> specification) throws IOException {
        String body = Json.MAPPER.writeValueAsString(specification);
        return json(call("POST", "/containers/create?name=" + encoded(name), body))
                .path("Id")
                .stringValue();
    }

    void start(String id) throws IOException {
        call("POST", "/containers/" + id + "/start", "");
    }

    JsonNode inspect(String id) throws IOException {
        return get("/containers/" + id + "/json");
    }

    /** The last lines of a container's output. */
    String lastOutput(String id) throws IOException {
        String raw =
                call("GET", "/containers/" + id + "/logs?stdout=1&stderr=1&tail=10", "").body();
        return raw.replaceAll("[\\x00-\\x08\\x0e-\\x1f\\ufffd]+.?", "").strip();
    }

    /** Kills and removes a container with its volumes, if it exists. */
    void remove(String id) throws IOException {
        EngineSocket.Response response =
                socket.call("DELETE", VERSION + "/containers/" + id + "?force=1&v=1", "");
        if (response.status() != NOT_FOUND && response.status() != BEING_REMOVED) {
            require(response, "DELETE of a container");
        }
    }

    List<Container> labelled(String label) throws IOException {
        String filters = Json.MAPPER.writeValueAsString(Map.of("label", List.of(label)));
        JsonNode found = get("/containers/json?all=1&filters=" + encoded(filters));
        return StreamSupport.stream(found.spliterator(), false)
                .map(node -> new Container(node.path("Id").stringValue(), labels(node)))
                .toList();
    }

    private static Map<String, String> labels(JsonNode container) {
        return Json.MAPPER.convertValue(
                container.path("Labels"), new tools.jackson.core.type.TypeReference<>() {});
    }

    private JsonNode get(String target) throws IOException {
        return json(call("GET", target, ""));
    }

    private EngineSocket.Response call(String method, String target, String body)
            throws IOException {
        EngineSocket.Response response = socket.call(method, VERSION + target, body);
        require(response, method + " " + target);
        return response;
    }

    private static void require(EngineSocket.Response response, String what) throws IOException {
        if (response.status() >= 400) {
            throw new SandboxFailedException(
                    "the engine answered %d to %s: %s"
                            .formatted(response.status(), what, response.body().strip()));
        }
    }

    private static JsonNode json(EngineSocket.Response response) {
        return Json.MAPPER.readTree(response.body());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
