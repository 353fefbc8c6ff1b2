package dev.satchel.server.credential;

import dev.satchel.http.outbound.GuardedHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Sends requests to addresses that a tenant has named: public addresses and those of the operator
 * only.
 */
public final class OAuthHttp {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_ANSWER = 256 * 1024;

    private final GuardedHttpClient http;

    public OAuthHttp(ReachableHosts reachableHosts) {
        this.http = new GuardedHttpClient(reachableHosts, TIMEOUT, MAX_ANSWER);
    }

    /** {@code body} is an empty object if the answer is not JSON. */
    record Answer(int status, JsonNode body) {
        boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** The text of a field, or an empty text. */
        String text(String field) {
            return body.path(field).stringValue("");
        }
    }

    Answer send(HttpRequest request) throws IOException, InterruptedException {
        GuardedHttpClient.Answer answer = http.send(request);
        return new Answer(answer.status(), parse(answer.body()));
    }

    private static JsonNode parse(String text) {
        try {
            JsonNode parsed = Json.MAPPER.readTree(text);
            return parsed.isObject() ? parsed : JsonNodeFactory.instance.objectNode();
        } catch (JacksonException _) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
