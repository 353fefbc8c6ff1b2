package dev.satchel.server.bag;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DroppedDownloadTest {
    private final Heard heard = new Heard();
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start(null);
        heard.start();
        root().addAppender(heard);
    }

    @AfterEach
    void stop() {
        root().detachAppender(heard);
        server.close();
    }

    @Test
    void aClientThatDisconnectsIsNotAServerError() throws Exception {
        String chat = server.newChat();
        String files = "/api/assistant/chats/" + chat + "/files";
        server.send(
                server.request(files)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("big.bin", new byte[9_000_000]).publisher())
                        .build());
        String file = files + "/" + server.getJson(files).at("/files/0/id").stringValue();

        for (int i = 0; i < 5; i++) {
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), server.url("").getPort())) {
                String head =
                        "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
                                .formatted(file, TestServer.KEY);
                socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                assertThat(socket.getInputStream().readNBytes(1_000)).hasSize(1_000);
                socket.setSoLinger(true, 0); // a reset, as from a killed process
            }
            String answered = heard.downloads.poll(20, TimeUnit.SECONDS);
            assertThat(answered).contains("gone=true");
        }

        assertThat(heard.errors).isEmpty();
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static final class Heard extends AppenderBase<ILoggingEvent> {
        private final List<String> errors = new CopyOnWriteArrayList<>();
        private final BlockingQueue<String> downloads = new LinkedBlockingQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                errors.add(event.getLoggerName() + ": " + event.getFormattedMessage());
            }
            String text = event.getFormattedMessage();
            if (text.startsWith("method=GET") && text.contains("/files/")) {
                downloads.add(text);
            }
        }
    }
}
