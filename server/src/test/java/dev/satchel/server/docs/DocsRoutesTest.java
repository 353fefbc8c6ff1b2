package dev.satchel.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DocsRoutesTest {
    private static final Pattern LINK = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

    private final HttpClient client = CheckedHttpClient.create();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Router router = new Router();
        new DocsRoutes().addTo(router);
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void everythingThePageNeedsComesFromHere() throws Exception {
        HttpResponse<String> page = get("/docs");

        assertThat(page.statusCode()).isEqualTo(200);
        Matcher links = LINK.matcher(page.body());
        int count = 0;
        while (links.find()) {
            assertThat(links.group(1)).startsWith("/");
            assertThat(get(links.group(1)).statusCode()).as(links.group(1)).isEqualTo(200);
            count++;
        }
        assertThat(count).isEqualTo(4);
        assertThat(get("/docs/start.js").body()).contains("/openapi.json", "validatorUrl: null");
    }

    @Test
    void thePolicyAllowsNothingFromElsewhereAndNoInlineScript() throws Exception {
        String policy = get("/docs").headers().firstValue("Content-Security-Policy").orElseThrow();

        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'")
                .doesNotContain("http", "*");
    }

    @Test
    void onlyTheFilesOfThePageAreServed() throws Exception {
        assertThat(get("/docs/index.html").statusCode()).isEqualTo(404);
        assertThat(get("/docs/..%2fopenapi.json").statusCode()).isEqualTo(404);
    }

    @Test
    void theDocumentIsOpenToEverybody() throws Exception {
        HttpResponse<String> document = get("/openapi.json");

        assertThat(document.headers().firstValue("Content-Type"))
                .contains("application/json; charset=utf-8");
        assertThat(Json.MAPPER.readTree(document.body()).path("openapi").stringValue())
                .isEqualTo("3.1.0");
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI url = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }
}
