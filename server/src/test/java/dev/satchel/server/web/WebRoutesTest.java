package dev.satchel.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.operations.Metrics;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WebRoutesTest {
    private static final Pattern LINK = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(null);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyAddressOfThePageIsTheSameDocument() throws Exception {
        String page = server.get("/").body();

        assertThat(page).contains("<div id=\"root\">");
        for (String path :
                List.of(
                        "/chats/x",
                        "/runs/x",
                        "/assets",
                        "/agents",
                        "/credentials",
                        "/skills",
                        "/asks",
                        "/storage",
                        "/usage",
                        "/settings",
                        "/connect")) {
            HttpResponse<String> answer = server.get(path);
            assertThat(answer.body()).as(path).isEqualTo(page);
            assertThat(header(answer, "Cache-Control")).isEqualTo("no-cache");
        }
    }

    @Test
    void builtWithoutThePageThereIsOneThatSaysSo() throws Exception {
        Router router = new Router();
        new WebRoutes("/nowhere").addTo(router);
        try (Metrics metrics = new Metrics();
                HttpClient client = CheckedHttpClient.create()) {
            HttpServer bare = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, metrics);
            URI address = URI.create("http://127.0.0.1:" + bare.port() + "/chats/x");
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
            bare.close(Duration.ZERO);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("built without its page", "href=\"/docs\"");
            assertThat(header(answer, "Content-Security-Policy")).contains("default-src 'none'");
        }
    }

    @Test
    void whatThePageLoadsIsHereAndItsHashedFilesNeverChange() throws Exception {
        Matcher links = LINK.matcher(server.get("/").body());
        int count = 0;
        while (links.find()) {
            HttpResponse<String> file = server.get(links.group(1));
            assertThat(file.statusCode()).as(links.group(1)).isEqualTo(200);
            assertThat(header(file, "Cache-Control")).isEqualTo(cachingOf(links.group(1)));
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(4);
    }

    private static String cachingOf(String path) {
        if (path.startsWith("/api/")) {
            return "no-store"; // asked for while the scripts load
        }
        return path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    }

    @Test
    void thePolicyAllowsNothingInlineAndNothingFromElsewhere() throws Exception {
        String policy = header(server.get("/"), "Content-Security-Policy");

        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self';", "style-src 'self';")
                .contains("frame-ancestors 'none'", "object-src 'none'")
                .doesNotContain("unsafe", "http", "*");
    }

    @Test
    void filesThatAreNotThePageAreNotServed() throws Exception {
        for (String path :
                List.of("/assets/none.js", "/assets/..%2f..%2fdocs%2fopenapi.json", "/assets/.x")) {
            assertThat(server.get(path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void aBrowserThatCanUnzipGetsItSmall() throws Exception {
        HttpResponse<String> zipped =
                server.send(server.request("/theme.js").header("Accept-Encoding", "gzip").build());

        assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(server.get("/theme.js"), "Vary")).isEqualTo("Accept-Encoding");
    }

    @Test
    void theSettingsSayWhatAnswersAndWhatMayBeSent() throws Exception {
        JsonNode settings = server.getJson("/api/settings");

        assertThat(settings.get("runner").stringValue()).isEqualTo("none");
        assertThat(settings.get("model").isNull()).isTrue();
        assertThat(settings.at("/limits/maxFileBytes").longValue()).isEqualTo(10_000_000);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
