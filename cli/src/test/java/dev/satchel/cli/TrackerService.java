package dev.satchel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.client.ClientJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A service of the network: an MCP server with one tool, and the OAuth login for it. A person
 * allows the access as soon as a browser comes.
 */
final class TrackerService implements AutoCloseable {
    private final HttpServer http;
    private final Map<String, String> challenges = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private int logins;

    TrackerService() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/.well-known/oauth-protected-resource/mcp", this::resource);
        http.createContext("/.well-known/oauth-authorization-server/login", this::login);
        http.createContext("/register", exchange -> answer(exchange, 201, client()));
        http.createContext("/authorize", this::authorize);
        http.createContext("/token", this::token);
        http.createContext("/mcp", this::mcp);
        http.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    /** What authorized each call of the tool, since the last call of this method. */
    List<String> authorizations() {
        List<String> all = new ArrayList<>();
        calls.drainTo(all);
        return all;
    }

    private void resource(HttpExchange exchange) throws IOException {
        answer(exchange, 200, Map.of("authorization_servers", List.of(url("/login"))));
    }

    private void login(HttpExchange exchange) throws IOException {
        answer(
                exchange,
                200,
                Map.of(
                        "authorization_endpoint", url("/authorize"),
                        "token_endpoint", url("/token"),
                        "registration_endpoint", url("/register")));
    }

    private static Map<String, String> client() {
        return Map.of("client_id", "satchel");
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = fields(exchange.getRequestURI().getRawQuery());
        String code;
        synchronized (this) {
            code = "code-" + ++logins;
        }
        challenges.put(code, asked.getOrDefault("code_challenge", ""));
        String back =
                asked.get("redirect_uri")
                        + "?code="
                        + code
                        + "&state="
                        + URLEncoder.encode(asked.getOrDefault("state", ""), UTF_8);
        exchange.getResponseHeaders().set("Location", back);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                fields(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        String code = form.getOrDefault("code", "");
        String challenge = challenges.remove(code);
        if (challenge == null
                || !challenge.equals(challengeOf(form.getOrDefault("code_verifier", "")))) {
            answer(exchange, 400, Map.of("error", "invalid_grant"));
            return;
        }
        answer(
                exchange,
                200,
                Map.of(
                        "access_token",
                        "access-" + code,
                        "token_type",
                        "Bearer",
                        "expires_in",
                        3600));
    }

    private static String challengeOf(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The Model Context Protocol over streamable HTTP. */
    private void mcp(HttpExchange exchange) throws IOException {
        JsonNode request = ClientJson.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        String method = request.path("method").asString("");
        if (request.path("id").isMissingNode()) {
            exchange.sendResponseHeaders(method.isEmpty() ? 405 : 202, -1);
            exchange.close();
            return;
        }
        Map<String, Object> result = new HashMap<>();
        switch (method) {
            case "initialize" -> {
                result.put("protocolVersion", request.at("/params/protocolVersion").stringValue());
                result.put("capabilities", Map.of("tools", Map.of()));
                result.put("serverInfo", Map.of("name", "tracker", "version", "1"));
            }
            case "tools/list" ->
                    result.put(
                            "tools",
                            List.of(
                                    Map.of(
                                            "name",
                                            "get_issues",
                                            "inputSchema",
                                            Map.of("type", "object"))));
            case "tools/call" -> {
                calls.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                result.put("content", List.of(Map.of("type", "text", "text", "three issues")));
            }
            default -> {}
        }
        answer(exchange, 200, Map.of("jsonrpc", "2.0", "id", request.get("id"), "result", result));
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
        byte[] bytes = ClientJson.MAPPER.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
