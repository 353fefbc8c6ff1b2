package dev.satchel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.connection.HttpOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

class OffHeapBodyTest {
    private static final byte[] BYTES = new byte[3_000_000];

    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        new Random(1).nextBytes(BYTES);
        Router router = new Router();
        router.get("/gathered", OffHeapBodyTest::gathered);
        router.get(
                "/broken",
                exchange -> {
                    try (OffHeapBody body = new OffHeapBody()) {
                        body.write(BYTES, 0, 100);
                        throw new SatchelException(ErrorCode.NOT_FOUND, "it broke off");
                    }
                });
        server =
                HttpServer.start(
                        "127.0.0.1",
                        0,
                        router,
                        JsonMapper.shared(),
                        (_, _, _, _) -> {},
                        HttpOptions.WITH_CLEARTEXT_HTTP2);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private static void gathered(Exchange exchange) {
        try (OffHeapBody body = new OffHeapBody()) {
            body.write(BYTES[0]);
            body.write(BYTES, 1, BYTES.length - 1);
            exchange.body(200, "application/octet-stream", body);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void aGatheredBodyArrivesWholeAgainAndAgain(HttpClient.Version version) throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpResponse<byte[]> response =
                    client.send(
                            request("/gathered").version(version).build(),
                            BodyHandlers.ofByteArray());
            assertThat(response.body()).isEqualTo(BYTES);
        }
    }

    @Test
    void headHasTheContentLength() throws Exception {
        HttpResponse<String> response =
                client.send(request("/gathered").HEAD().build(), BodyHandlers.ofString());

        assertThat(response.headers().firstValue("Content-Length")).contains("3000000");
        assertThat(response.body()).isEmpty();
    }

    @Test
    void aFailureWhileTheBodyIsWrittenIsAnErrorResponse() throws Exception {
        HttpResponse<String> response =
                client.send(request("/broken").build(), BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("it broke off");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    }
}
