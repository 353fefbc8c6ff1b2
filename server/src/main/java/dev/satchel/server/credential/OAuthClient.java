package dev.satchel.server.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.protocol.Json;
import dev.satchel.server.credential.OAuthHttp.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Registers at a service, and exchanges codes and refresh tokens for access tokens. */
final class OAuthClient {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";
    private static final int MAX_SHOWN = 300;

    private final OAuthHttp http;

    OAuthClient(OAuthHttp http) {
        this.http = http;
    }

    /**
     * Tokens of a service.
     *
     * @param lifetime in seconds; null if the service does not say it
     */
    record Tokens(String access, @Nullable String refresh, @Nullable Long lifetime) {
        @Override
        public String toString() {
            return "***";
        }
    }

    /**
     * The grant with a client for this address; registers one where a person did not (RFC 7591).
     */
    OAuthGrant registered(OAuthGrant grant, String redirectUri)
            throws IOException, InterruptedException {
        String registrationUrl = grant.registrationUrl();
        boolean isKnown = grant.clientId() != null && grant.registeredFor() == null;
        if (isKnown || redirectUri.equals(grant.registeredFor()) || registrationUrl == null) {
            return grant;
        }
        Map<String, Object> client =
                Map.of(
                        "client_name",
                        "Satchel",
                        "redirect_uris",
                        List.of(redirectUri),
                        "grant_types",
                        List.of("authorization_code", "refresh_token"),
                        "response_types",
                        List.of("code"),
                        "token_endpoint_auth_method",
                        "none");
        Answer answer =
                http.send(
                        HttpRequest.newBuilder(URI.create(registrationUrl))
                                .header("Content-Type", JSON)
                                .header("Accept", JSON)
                                .POST(
                                        BodyPublishers.ofString(
                                                Json.MAPPER.writeValueAsString(client)))
                                .build());
        String id = answer.text("client_id");
        if (!answer.isSuccess() || id.isEmpty()) {
            throw refused("refused to register a client", registrationUrl, answer);
        }
        String secret = answer.text("client_secret");
        return grant.withClient(id, secret.isEmpty() ? null : secret, redirectUri);
    }

    Tokens exchange(OAuthGrant grant, String code, String verifier, String redirectUri)
            throws IOException, InterruptedException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", redirectUri);
        form.put("code_verifier", verifier);
        return tokens(grant, form);
    }

    Tokens refresh(OAuthGrant grant, String refreshToken) throws IOException, InterruptedException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", refreshToken);
        return tokens(grant, form);
    }

    private Tokens tokens(OAuthGrant grant, Map<String, String> form)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(grant.tokenUrl()))
                        .header("Content-Type", FORM)
                        .header("Accept", JSON);
        String id = String.valueOf(grant.clientId());
        String secret = grant.clientSecret();
        if (secret == null) {
            form.put("client_id", id);
        } else {
            String pair = encoded(id) + ":" + encoded(secret);
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)));
        }
        String resource = grant.resource();
        if (resource != null) {
            form.put("resource", resource);
        }
        Answer answer = http.send(request.POST(BodyPublishers.ofString(form(form))).build());
        String access = answer.text("access_token");
        if (!answer.isSuccess() || access.isEmpty()) {
            throw refused("gave no token", grant.tokenUrl(), answer);
        }
        String refresh = answer.text("refresh_token");
        long lifetime = answer.body().path("expires_in").asLong(0);
        return new Tokens(
                access, refresh.isEmpty() ? null : refresh, lifetime > 0 ? lifetime : null);
    }

    static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** The words of the service are for the person who connects it. */
    private static OAuthException refused(String problem, String address, Answer answer) {
        String code = answer.text("error");
        String words = answer.text("error_description");
        String detail = words.isEmpty() ? code : words;
        String shown = detail.length() <= MAX_SHOWN ? detail : detail.substring(0, MAX_SHOWN) + "…";
        return new OAuthException(
                URI.create(address).getHost()
                        + " "
                        + problem
                        + " (status "
                        + answer.status()
                        + ")"
                        + (shown.isEmpty() ? "" : ": " + shown),
                code);
    }
}
