package dev.satchel.server.user.oidc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A provider of OpenID Connect for tests. A person is signed in there already, so it answers at
 * once. What it answers can be changed, as attackers would.
 */
final class OidcTestProvider implements AutoCloseable {
    static final String CLIENT = "satchel";
    static final String SECRET = "the secret of the client";

    /** Keys are slow to make, so all providers have the same. */
    private static final RSAKey FIRST = rsa("first");

    private record Asked(String nonce, String challenge) {}

    private final HttpServer http;
    private final Clock clock;
    private final Map<String, Asked> codes = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger keyReads = new AtomicInteger();
    private volatile Map<String, Object> person = Map.of("sub", "ada");
    private volatile UnaryOperator<Map<String, Object>> claims = UnaryOperator.identity();
    private volatile UnaryOperator<Map<String, Object>> document = UnaryOperator.identity();
    private volatile Function<Map<String, Object>, String> signature = body -> signed(FIRST, body);
    private volatile JWKSet keys = new JWKSet(FIRST);
    private volatile String issuerOfAnswers;
    private volatile boolean isAvailable = true;

    OidcTestProvider(Clock clock) throws IOException {
        this.clock = clock;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        issuerOfAnswers = issuer();
        http.createContext("/.well-known/openid-configuration", this::describe);
        http.createContext("/authorize", this::authorize);
        http.createContext("/token", this::token);
        http.createContext("/keys", this::keys);
        http.start();
    }

    String issuer() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Who is signed in at the provider. */
    void person(Map<String, Object> who) {
        person = Map.copyOf(who);
    }

    /** Changes what the next ID tokens claim. */
    void claims(UnaryOperator<Map<String, Object>> change) {
        claims = change;
    }

    /** Changes the discovery document. */
    void document(UnaryOperator<Map<String, Object>> change) {
        document = change;
    }

    /** Makes the next ID tokens of their claims in another way. */
    void signature(Function<Map<String, Object>, String> sign) {
        signature = sign;
    }

    /** What the key set has. */
    void publish(JWKSet published) {
        keys = published;
    }

    /** The issuer that is in the answers to the browser; empty for none. */
    void issuerOfAnswers(String issuer) {
        issuerOfAnswers = issuer;
    }

    void available(boolean available) {
        isAvailable = available;
    }

    int keyReads() {
        return keyReads.get();
    }

    static RSAKey firstKey() {
        return FIRST;
    }

    static RSAKey rsa(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static String signed(RSAKey key, Map<String, Object> body) {
        try {
            SignedJWT token =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
                            JWTClaimsSet.parse(body));
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException | ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    static String signed(ECKey key, Map<String, Object> body) {
        try {
            SignedJWT token =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                            JWTClaimsSet.parse(body));
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (JOSEException | ParseException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private void describe(HttpExchange exchange) throws IOException {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("issuer", issuer());
        described.put("authorization_endpoint", issuer() + "/authorize");
        described.put("token_endpoint", issuer() + "/token");
        described.put("jwks_uri", issuer() + "/keys");
        described.put("end_session_endpoint", issuer() + "/end");
        described.put("authorization_response_iss_parameter_supported", true);
        answer(exchange, document.apply(described));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = fields(exchange.getRequestURI().getRawQuery());
        if (!asked.getOrDefault("code_challenge_method", "").equals("S256")
                || !asked.getOrDefault("client_id", "").equals(CLIENT)) {
            throw new IllegalStateException("not a request of the client: " + asked.keySet());
        }
        String code = "code-" + numbers.incrementAndGet();
        codes.put(
                code,
                new Asked(
                        asked.getOrDefault("nonce", ""), asked.getOrDefault("code_challenge", "")));
        String issuer = issuerOfAnswers;
        String query =
                "code="
                        + code
                        + "&state="
                        + URLEncoder.encode(asked.getOrDefault("state", ""), UTF_8)
                        + (issuer.isEmpty() ? "" : "&iss=" + URLEncoder.encode(issuer, UTF_8));
        exchange.getResponseHeaders().set("Location", asked.get("redirect_uri") + "?" + query);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                fields(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        Asked asked = codes.remove(form.getOrDefault("code", ""));
        boolean isAllowed =
                asked != null
                        && asked.challenge()
                                .equals(challenge(form.getOrDefault("code_verifier", "")))
                        && isClient(exchange.getRequestHeaders().get("Authorization"));
        if (!isAllowed || asked == null) {
            answer(exchange, 400, Map.of("error", "invalid_grant"));
            return;
        }
        Map<String, Object> body = new HashMap<>(person);
        body.put("iss", issuer());
        body.put("aud", CLIENT);
        body.put("nonce", asked.nonce());
        long now = clock.instant().getEpochSecond();
        body.put("iat", now);
        body.put("exp", now + 300);
        String token = signature.apply(claims.apply(body));
        answer(exchange, Map.of("access_token", "x", "token_type", "Bearer", "id_token", token));
    }

    private static boolean isClient(@Nullable List<String> authorization) {
        String pair = CLIENT + ":" + URLEncoder.encode(SECRET, UTF_8);
        return List.of("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)))
                .equals(authorization);
    }

    private void keys(HttpExchange exchange) throws IOException {
        keyReads.incrementAndGet();
        answer(exchange, keys.toPublicJWKSet().toJSONObject());
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException e) {
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

    private void answer(HttpExchange exchange, Map<String, ?> body) throws IOException {
        answer(exchange, isAvailable ? 200 : 503, isAvailable ? body : Map.of());
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
