package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.RunUsage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that a server or a proxy has cut or delayed. */
@Timeout(60)
class EventReaderTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        http.shutdownNow();
        server.stop(0);
    }

    @Test
    void whatAModelAndItsToolsSayHasItsOwnTypes() {
        assertThat(event("{'type':'thinking','text':'Hm.','ts':1}"))
                .isEqualTo(new Event.Thinking("Hm.", null, null, 1L));
        assertThat(event("{'type':'output','id':'s1','stream':'stderr','text':'oh'}"))
                .isEqualTo(new Event.Output("s1", "stderr", "oh", null, null, null));
        assertThat(
                        event(
                                "{'type':'usage','model':'m','inputTokens':1,'outputTokens':2,"
                                        + "'cacheReadTokens':3,'cacheWriteTokens':4}"))
                .isEqualTo(new Event.Usage("m", null, 1, 2, 3, 4, null));
        assertThat(
                        event(
                                "{'type':'retry','attempt':1,'delayMs':4000,'code':'529',"
                                        + "'message':'busy'}"))
                .isEqualTo(new Event.Retry(1, 4000, "529", "busy", null, null));
        assertThat(
                        event(
                                "{'type':'result','message':'Half.','files':[],"
                                        + "'stopped':'max_rounds','usage':{'inputTokens':1,"
                                        + "'outputTokens':2,'cacheReadTokens':3,"
                                        + "'cacheWriteTokens':4,'costMicros':5}}"))
                .isEqualTo(
                        new Event.Result(
                                "Half.",
                                null,
                                List.of(),
                                List.of(),
                                "max_rounds",
                                new RunUsage(1, 2, 3, 4, 5L),
                                null,
                                null));
    }

    private static Event event(String json) {
        return ClientJson.MAPPER.readValue(json.replace('\'', '"'), Event.class);
    }

    @Test
    void commentsArePassedOverAndHalfAnEventDoesNotCount() throws Exception {
        server.createContext(
                "/",
                exchange -> {
                    say(exchange, ": ping\n\nretry: 1000\n\nid: r:1\ndata: {}\n\nid: r:2\ndata: {");
                    exchange.close();
                });

        try (EventReader reader = reader(Duration.ofMinutes(1))) {
            assertThat(reader.next()).contains(new EventReader.Frame("r:1", "{}"));
            assertThat(reader.next()).isEmpty();
        }
    }

    @Test
    void aServerThatFallsSilentIsLeft() throws Exception {
        server.createContext("/", exchange -> say(exchange, "id: r:1\ndata: {}\n\n"));

        try (EventReader reader = reader(Duration.ofMillis(200))) {
            assertThat(reader.next()).isPresent();
            assertThat(endOf(reader)).isTrue();
        }
    }

    @Test
    void anEventOfANewerServerIsNoFailure() {
        String newer = "{\"type\":\"weather\",\"sky\":\"blue\"}";
        assertThat(ClientJson.MAPPER.readValue(newer, Event.class)).isEqualTo(new Event.Unknown());
    }

    @Test
    void aResultTellsThatItsFilesAreNotSavedYet() {
        String pending = "{\"type\":\"result\",\"message\":\"hi\",\"workspace\":\"pending\"}";
        assertThat(ClientJson.MAPPER.readValue(pending, Event.class))
                .isEqualTo(
                        new Event.Result(
                                "hi", null, List.of(), List.of(), null, null, "pending", null));
    }

    private static boolean endOf(EventReader reader) {
        try {
            return reader.next().isEmpty();
        } catch (IOException e) {
            return true;
        }
    }

    private EventReader reader(Duration longestSilence) throws Exception {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        HttpRequest request = HttpRequest.newBuilder(url).build();
        return new EventReader(http.send(request, BodyHandlers.ofInputStream()), longestSilence);
    }

    private static void say(HttpExchange exchange, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }
}
