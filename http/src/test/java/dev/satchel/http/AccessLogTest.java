package dev.satchel.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Login links, signed addresses and prompts pass through here; none of them may stay behind. */
@Timeout(60)
class AccessLogTest {
    private static final Logger ACCESS = (Logger) LoggerFactory.getLogger("satchel.access");

    private final LinesOfLog log = new LinesOfLog();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        Router router =
                new Router()
                        .post("/echo", e -> e.body(200, "text/plain", e.body(1000).readAllBytes()))
                        .post(
                                "/broken",
                                _ -> {
                                    throw new IllegalStateException("broken on purpose");
                                });
        server = HttpServer.start("127.0.0.1", 0, router, new JsonMapper(), (_, _, _, _) -> {});
        log.start();
        ACCESS.setLevel(Level.INFO);
        ACCESS.addAppender(log);
    }

    @AfterEach
    void stop() {
        ACCESS.detachAppender(log);
        ACCESS.setLevel(null); // back to what its parent says
        server.close();
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/echo", "/broken", "/unknown"})
    void aLineHoldsNeitherQueryNorHeadersNorBodies(String path) throws Exception {
        send(path);

        assertThat(log.lines.take())
                .contains("method=POST path=" + path + " status=")
                .doesNotContain("secret", "?");
    }

    @Test
    void everyRequestLeavesOneLine() throws Exception {
        send("/echo");
        assertThat(log.lines.take()).contains("/echo status=200");

        send("/unknown");
        assertThat(log.lines.take()).contains("/unknown status=404");
        assertThat(log.lines).isEmpty();
    }

    @Test
    void aPathCannotWriteControlCharactersIntoTheLog() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String head = "POST /a\u001b[2J\u007fb HTTP/1.1\r\nHost: x\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            String line = log.lines.take();
            assertThat(line).contains("status=4");
            assertThat(line.chars()).noneMatch(Character::isISOControl);
        }
    }

    private void send(String path) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.port() + path + "?token=secret-1");
        client.send(
                HttpRequest.newBuilder(address)
                        .header("Authorization", "Bearer secret-2")
                        .POST(BodyPublishers.ofString("secret-3"))
                        .build(),
                BodyHandlers.ofString());
    }

    /** A line is written after its answer, so a test must be able to wait for it. */
    private static final class LinesOfLog extends AppenderBase<ILoggingEvent> {
        final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage() + event.getMDCPropertyMap());
        }
    }
}
