package dev.satchel.server.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Requests that arrive while the status of their session changes. */
@Timeout(60)
class SessionRacesTest {
    private SharedDisk disk;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    /** The session is active when the head of the request arrives, and paused before its body. */
    @ParameterizedTest
    @ValueSource(strings = {"messages", "exec"})
    void aMessageDuringThePauseOfItsSessionIsRefused(String route) throws Exception {
        String session = disk.create();
        byte[] body = "{\"content\":\"hi\",\"command\":\"ls\"}".getBytes(UTF_8);
        URI url = disk.server().url("/api/sessions/" + session + "/" + route);
        try (Socket socket = new Socket(url.getHost(), url.getPort());
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            socket.setSoTimeout(30_000); // a started run would never answer
            socket.getOutputStream().write(head(url, body.length).getBytes(UTF_8));
            assertThat(in.readLine()).startsWith("HTTP/1.1 100"); // so the session was looked up
            assertThat(in.readLine()).isEmpty();

            assertThat(disk.post(session, "pause").statusCode()).isEqualTo(200);
            socket.getOutputStream().write(body);

            assertThat(in.readLine()).startsWith("HTTP/1.1 400");
            assertThat(in.lines().reduce("", (_, line) -> line)).contains("Session is paused");
        }
        JsonNode read = disk.server().getJson("/api/assistant/chats/" + session);
        assertThat(read.get("messages")).isEmpty();
    }

    @Test
    void anEndedSessionRefusesTurnsOfTheChatToo() throws Exception {
        String session = disk.create();
        disk.end(session);

        HttpResponse<String> refused =
                disk.server()
                        .post(
                                "/api/assistant/chat/stream",
                                Map.of("message", "hello", "chatId", session));

        assertThat(refused.statusCode()).isEqualTo(410);
        assertThat(disk.sandbox().nothingDispatched()).isTrue();
    }

    @Test
    void aForkThatFailsIsNotVisible() throws Exception {
        String session = disk.create();
        disk.turn(session, "a.txt", "kept");
        disk.post(session, "stop");
        damagePacks();

        assertThat(disk.post(session, "fork").statusCode()).isEqualTo(500);
        assertThat(disk.server().getJson("/api/sessions").get("sessions")).hasSize(1);
    }

    private void damagePacks() throws Exception {
        try (Stream<Path> files = Files.walk(disk.data())) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith("pack-")) {
                    Files.writeString(file, "damaged");
                }
            }
        }
    }

    private static String head(URI url, int length) {
        return """
               POST %s HTTP/1.1\r
               Host: test\r
               Authorization: Bearer %s\r
               Content-Type: application/json\r
               Content-Length: %d\r
               Expect: 100-continue\r
               Connection: close\r
               \r
               """
                .formatted(url.getPath(), TestServer.KEY, length);
    }
}
