package dev.satchel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.connection.TrustedProxies;
import dev.satchel.http.response.CrossOrigin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class CrossOriginTest {
    private static final String ALLOWED = "https://app.example.com:8443";

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = listen(new CrossOrigin(Set.of(ALLOWED)));
    }

    private static HttpServer listen(CrossOrigin origins) throws Exception {
        Router router =
                new Router()
                        .post("/things", e -> e.json(201, Map.of("made", true)))
                        .get(
                                "/refused",
                                _ -> {
                                    throw new SatchelException(ErrorCode.NOT_FOUND, "not here");
                                });
        HttpOptions options =
                new HttpOptions(ConnectionTimeouts.DEFAULT, false, origins, TrustedProxies.NONE);
        return HttpServer.start(
                "127.0.0.1", 0, router, new JsonMapper(), (_, _, _, _) -> {}, options);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void aPreflightOfAnAllowedOriginIsAnswered() throws Exception {
        HttpResponse<String> response =
                send(
                        "OPTIONS",
                        "/things",
                        "Origin",
                        ALLOWED,
                        "Access-Control-Request-Method",
                        "POST",
                        "Access-Control-Request-Headers",
                        "authorization,content-type,idempotency-key");

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(header(response, "Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
        assertThat(header(response, "Access-Control-Allow-Methods")).contains("POST", "DELETE");
        assertThat(header(response, "Access-Control-Allow-Headers"))
                .isEqualTo("authorization,content-type,idempotency-key");
        assertThat(header(response, "Access-Control-Max-Age")).isEqualTo("600");
        assertThat(response.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
    }

    @Test
    void responsesAndErrorsCanBeReadByAnAllowedOrigin() throws Exception {
        HttpResponse<String> made = send("POST", "/things", "Origin", ALLOWED);
        HttpResponse<String> refused = send("GET", "/refused", "Origin", ALLOWED);

        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(refused.statusCode()).isEqualTo(404);
        for (HttpResponse<String> response : Set.of(made, refused)) {
            assertThat(header(response, "Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
            assertThat(header(response, "Access-Control-Expose-Headers"))
                    .contains("Location", "Retry-After", "Upload-Offset", "X-Request-Id");
            assertThat(response.headers().allValues("Vary")).contains("Origin");
            assertThat(response.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example.com",
                "http://app.example.com:8443",
                "https://evil.example.com:8443",
                "null"
            })
    void anotherOriginGetsNoHeaders(String origin) throws Exception {
        HttpResponse<String> preflight =
                send(
                        "OPTIONS",
                        "/things",
                        "Origin",
                        origin,
                        "Access-Control-Request-Method",
                        "POST");
        HttpResponse<String> response = send("POST", "/things", "Origin", origin);

        assertThat(preflight.statusCode()).isEqualTo(405);
        assertThat(response.statusCode()).isEqualTo(201); // the browser hides it
        for (HttpResponse<String> each : Set.of(preflight, response)) {
            assertThat(each.headers().map().keySet())
                    .noneMatch(name -> name.startsWith("access-control"));
            assertThat(each.headers().allValues("Vary")).contains("Origin");
        }
    }

    @Test
    void aStarAllowsEveryOriginButNoCredentials() throws Exception {
        server.close();
        server = listen(new CrossOrigin(Set.of("*")));

        HttpResponse<String> response = send("POST", "/things", "Origin", "https://any.example");

        assertThat(header(response, "Access-Control-Allow-Origin"))
                .isEqualTo("https://any.example");
        assertThat(response.headers().firstValue("Access-Control-Allow-Credentials")).isEmpty();
    }

    @Test
    void withoutOriginsNothingChanges() throws Exception {
        server.close();
        server = listen(CrossOrigin.NONE);

        HttpResponse<String> response = send("POST", "/things", "Origin", ALLOWED);

        assertThat(response.headers().map().keySet())
                .noneMatch(name -> name.startsWith("access-control"))
                .doesNotContain("vary");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"example.com", "https://example.com/", "HTTPS://example.com", "https://"})
    void whatIsNoOriginIsRefused(String text) {
        assertThatThrownBy(() -> new CrossOrigin(Set.of(text)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private HttpResponse<String> send(String method, String path, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .headers(headers);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
