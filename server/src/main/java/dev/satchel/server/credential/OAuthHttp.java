package dev.satchel.server.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.outbound.EgressProxy;
import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Sends requests to addresses that a tenant has named. They go through a proxy that connects to
 * public addresses and those of the operator only; redirects are not followed.
 */
public final class OAuthHttp {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int MAX_ANSWER = 256 * 1024;

    private final ReachableHosts reachableHosts;

    public OAuthHttp(ReachableHosts reachableHosts) {
        this.reachableHosts = reachableHosts;
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
        try (EgressProxy proxy = EgressProxy.openOnLoopback(reachableHosts::resolve);
                OutboundHttpClient client = new OutboundHttpClient(proxy.address())) {
            HttpResponse<InputStream> response = client.send(request, TIMEOUT);
            try (InputStream body = response.body()) {
                byte[] bytes = body.readNBytes(MAX_ANSWER + 1);
                if (bytes.length > MAX_ANSWER) {
                    throw new OAuthException(
                            request.uri().getHost() + " sent too large an answer", "");
                }
                return new Answer(response.statusCode(), parse(new String(bytes, UTF_8)));
            }
        }
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
