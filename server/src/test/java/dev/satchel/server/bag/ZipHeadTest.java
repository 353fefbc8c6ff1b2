package dev.satchel.server.bag;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ZipHeadTest {
    /** When the bytes are missing, the connection is closed during the download. */
    @Test
    void headOfAZipReadsNoFile() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(data, null, sandbox.url());
                Socket socket =
                        new Socket(InetAddress.getLoopbackAddress(), server.url("").getPort())) {
            String files = "/api/assistant/chats/" + server.newChat() + "/files";
            server.send(
                    server.request(files)
                            .header("Content-Type", MultipartBody.CONTENT_TYPE)
                            .POST(new MultipartBody().file("a.txt", "only here").publisher())
                            .build());
            deleteWhatHolds("only here", data);

            String head = request("HEAD", files + ".zip", "keep-alive");
            String next = request("GET", files, "close");
            socket.getOutputStream().write((head + next).getBytes(UTF_8));

            String answers = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(3);
        }
    }

    private static String request(String method, String path, String connection) {
        return "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: %s\r\n\r\n"
                .formatted(method, path, TestServer.KEY, connection);
    }

    private static void deleteWhatHolds(String text, Path data) throws Exception {
        byte[] wanted = text.getBytes(UTF_8);
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (Files.size(file) == wanted.length) {
                    Files.delete(file);
                }
            }
        }
    }
}
