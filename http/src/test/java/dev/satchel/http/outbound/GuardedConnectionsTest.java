package dev.satchel.http.outbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Calls to the endpoint of a tenant: a name that was checked is not resolved again. */
@Timeout(60)
class GuardedConnectionsTest {
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Router router =
                new Router()
                        .post(
                                "/v1",
                                e -> {
                                    asked.incrementAndGet();
                                    e.body(200, "text/plain", e.body(100).readAllBytes());
                                });
        server = HttpServer.start("127.0.0.1", 0, router, JsonMapper.shared(), (_, _, _, _) -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** As a name does that led elsewhere when it was checked. */
    @Test
    void aNameThatLeadsToThisMachineWhenItIsConnectedToIsRefused() throws Exception {
        assertThat(statusFor(ReachableHosts.NONE)).isEqualTo(403);
        assertThat(asked).hasValue(0);
    }

    @Test
    void whatTheOperatorListsIsReached() throws Exception {
        String listed = "localhost:" + server.port();
        assertThat(statusFor(ReachableHosts.from(Map.of(ReachableHosts.VARIABLE, listed))))
                .isEqualTo(200);
        assertThat(asked).hasValue(1);
    }

    /** A client that keeps the connection would send its next request into one that is closing. */
    @Test
    void responseSaysThatTheConnectionEndsAlsoWhenTheServerDoesNot() throws Exception {
        assertThat(answerTo("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok"))
                .isEqualTo(
                        "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n"
                                + "Connection: close\r\n\r\nok");
    }

    @Test
    void interimResponseIsPassedOn() throws Exception {
        assertThat(
                        answerTo(
                                "HTTP/1.1 100 Continue\r\n\r\n"
                                        + "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\n\r\nok"))
                .isEqualTo(
                        "HTTP/1.1 100 Continue\r\n\r\n"
                                + "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Le", "\r\n", "no HTTP at all"})
    void responseThatBreaksOffIsPassedOnAsItIs(String response) throws Exception {
        assertThat(answerTo(response)).isEqualTo(response);
    }

    /** What a client reads from the proxy when a server writes this and closes. */
    private static String answerTo(String response) throws Exception {
        ReachableHosts hosts = ReachableHosts.from(Map.of(ReachableHosts.VARIABLE, "localhost"));
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                EgressProxy proxy = EgressProxy.openOnLoopback(hosts::resolve);
                Socket client = new Socket()) {
            client.connect(proxy.address());
            String request =
                    "GET http://localhost:" + listener.getLocalPort() + "/ HTTP/1.1\r\n\r\n";
            client.getOutputStream().write(request.getBytes(UTF_8));
            try (Socket accepted = listener.accept()) {
                HttpHead asked = HttpHead.read(accepted.getInputStream());
                assertThat(asked.lines()).contains("Connection: close");
                accepted.getOutputStream().write(response.getBytes(UTF_8));
            }
            return new String(client.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private int statusFor(ReachableHosts hosts) throws Exception {
        try (EgressProxy proxy = EgressProxy.openOnLoopback(hosts::resolve);
                OutboundHttpClient guarded = new OutboundHttpClient(proxy.address())) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/v1"))
                            .POST(HttpRequest.BodyPublishers.ofString("hello"))
                            .build();
            HttpResponse<InputStream> response = guarded.send(request, Duration.ofSeconds(30));
            try (InputStream body = response.body()) {
                String text = new String(body.readAllBytes(), UTF_8);
                assertThat(text)
                        .contains(response.statusCode() == 200 ? "hello" : "private address");
            }
            return response.statusCode();
        }
    }
}
