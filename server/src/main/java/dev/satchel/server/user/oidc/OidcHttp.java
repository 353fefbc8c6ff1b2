package dev.satchel.server.user.oidc;

import dev.satchel.http.outbound.GuardedHttpClient;
import dev.satchel.http.outbound.GuardedHttpClient.Answer;
import dev.satchel.http.outbound.HostAndPort;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Asks the provider. It is reached at the host of its issuer, which the operator has named, at
 * public addresses and at private hosts of the operator.
 */
final class OidcHttp {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_ANSWER = 512 * 1024;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    /** Sign-ins that would ask a slow provider at once; more wait. */
    private static final int AT_ONCE = 8;

    private final GuardedHttpClient http;
    private final Semaphore permits = new Semaphore(AT_ONCE);

    OidcHttp(URI issuer, ReachableHosts hosts) {
        HostAndPort named =
                HostAndPort.parse(
                        issuer.getAuthority(), issuer.getScheme().equals("https") ? HTTPS : HTTP);
        this.http = new GuardedHttpClient(hosts.forOperator(named), TIMEOUT, MAX_ANSWER);
    }

    /** An answer in JSON; the body is an empty object if it is anything else. */
    record JsonAnswer(int status, JsonNode body) {}

    /** A document that must be there. */
    JsonNode get(String address) throws IOException, InterruptedException {
        JsonAnswer answer =
                send(
                        HttpRequest.newBuilder(URI.create(address))
                                .header("Accept", "application/json")
                                .build());
        if (answer.status() != 200 || answer.body().isEmpty()) {
            throw new IOException(address + " answered " + answer.status() + " and no JSON object");
        }
        return answer.body();
    }

    JsonAnswer send(HttpRequest request) throws IOException, InterruptedException {
        permits.acquire();
        try {
            Answer answer = http.send(request);
            return new JsonAnswer(answer.status(), parse(answer.body()));
        } finally {
            permits.release();
        }
    }

    private static JsonNode parse(String body) {
        try {
            JsonNode parsed = Json.MAPPER.readTree(body);
            return parsed.isObject() ? parsed : Json.MAPPER.createObjectNode();
        } catch (JacksonException _) {
            return Json.MAPPER.createObjectNode();
        }
    }
}
