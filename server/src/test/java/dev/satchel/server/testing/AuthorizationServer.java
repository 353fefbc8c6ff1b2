package dev.satchel.server.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A service with OAuth 2 for tests: metadata, registration, codes with PKCE, tokens of one minute,
 * and refresh tokens that are valid once.
 */
public final class AuthorizationServer implements AutoCloseable {
    private final Map<String, String> challenges = new HashMap<>();
    private final AtomicInteger refreshes = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final HttpServer http;
    private final String mark;
    private final int lifetime;
    private volatile boolean isAvailable = true;
    private String refreshToken = "";
    private String redirectUri = "";
    private String lastClient = "";

    public AuthorizationServer() throws IOException {
        this("", 60);
    }

    /** With a mark in every token, and a lifetime of access tokens in seconds. */
    public AuthorizationServer(String mark, int lifetime) throws IOException {
        this.mark = mark;
        this.lifetime = lifetime;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext(
                "/.well-known/oauth-protected-resource/mcp",
                exchange ->
                        answer(
                                exchange,
                                200,
                                Map.of(
                                        "authorization_servers",
                                        List.of(url("/login")),
                                        "scopes_supported",
                                        List.of("read", "write"))));
        http.createContext(
                "/.well-known/oauth-authorization-server/login",
                exchange ->
                        answer(
                                exchange,
                                200,
                                Map.of(
                                        "authorization_endpoint", url("/authorize"),
                                        "token_endpoint", url("/token"),
                                        "registration_endpoint", url("/register"))));
        http.createContext("/authorize", this::authorize);
        http.createContext("/register", this::register);
        http.createContext("/token", this::token);
        http.start();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    /** A person logs in at the address and allows the access. */
    public synchronized Map<String, String> logIn(String authorizationUrl) {
        Map<String, String> asked = fields(URI.create(authorizationUrl).getRawQuery());
        if (!redirectUri.equals(asked.get("redirect_uri"))) {
            throw new IllegalArgumentException("not the registered address");
        }
        String code = "code-" + numbers.incrementAndGet();
        challenges.put(code, asked.getOrDefault("code_challenge", ""));
        return Map.of("code", code, "state", asked.getOrDefault("state", ""));
    }

    /** How often a refresh token was sent. */
    public int refreshes() {
        return refreshes.get();
    }

    /** The client that got the last tokens. */
    public synchronized String clientOfLastToken() {
        return lastClient;
    }

    /** Answers with 503 while it is not available. */
    public void available(boolean available) {
        isAvailable = available;
    }

    /** The grant is withdrawn at the service. */
    public synchronized void revoke() {
        refreshToken = "";
    }

    @Override
    public void close() {
        http.stop(0);
    }

    /** A browser comes, and the person allows the access at once. */
    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> login = logIn(url(exchange.getRequestURI().toString()));
        String query =
                "code="
                        + URLEncoder.encode(login.getOrDefault("code", ""), UTF_8)
                        + "&state="
                        + URLEncoder.encode(login.getOrDefault("state", ""), UTF_8);
        exchange.getResponseHeaders().set("Location", redirectUri + "?" + query);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private synchronized void register(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        redirectUri = Json.MAPPER.readTree(body).at("/redirect_uris/0").stringValue();
        answer(exchange, 201, Map.of("client_id", "client-" + numbers.incrementAndGet()));
    }

    private synchronized void token(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                fields(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        lastClient = form.getOrDefault("client_id", "");
        if (!isAvailable) {
            answer(exchange, 503, Map.of());
        } else if ("refresh_token".equals(form.get("grant_type"))) {
            refreshes.incrementAndGet();
            issue(exchange, refreshToken.equals(form.get("refresh_token")));
        } else {
            String expected = challenges.remove(form.getOrDefault("code", ""));
            issue(exchange, challenge(form.getOrDefault("code_verifier", "")).equals(expected));
        }
    }

    private void issue(HttpExchange exchange, boolean isAllowed) throws IOException {
        if (!isAllowed) {
            answer(
                    exchange,
                    400,
                    Map.of("error", "invalid_grant", "error_description", "used or withdrawn"));
            return;
        }
        int number = numbers.incrementAndGet();
        refreshToken = "refresh-" + mark + number;
        answer(
                exchange,
                200,
                Map.of(
                        "access_token",
                        "access-" + mark + number,
                        "refresh_token",
                        refreshToken,
                        "token_type",
                        "Bearer",
                        "expires_in",
                        lifetime));
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> fields(String form) {
        return Arrays.stream(form.split("&"))
                .map(field -> field.split("=", 2))
                .collect(
                        Collectors.toMap(
                                field -> URLDecoder.decode(field[0], UTF_8),
                                field -> URLDecoder.decode(field[1], UTF_8)));
    }

    private static void answer(HttpExchange exchange, int status, Map<String, ?> body)
            throws IOException {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
