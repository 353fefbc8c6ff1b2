package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.TestServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clocks of two servers may differ by more than a lease: only the database's counts. */
class ClocksOfTwoServersTest {
    private static final int LONG = 2_000_000;

    @TempDir Path one;
    @TempDir Path two;

    @Test
    @Timeout(120)
    void aFastClockDoesNotRepeatARunningRequest() throws Exception {
        URI database = TestDatabases.freshPostgresql();
        Clock fast = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(10));
        String form = form();
        try (TestServer server = TestServer.start(one, database, null);
                TestServer other =
                        TestServer.start(TestServer.configuration(two, database, null), fast);
                Socket first =
                        new Socket(InetAddress.getLoopbackAddress(), server.url("").getPort())) {
            String files = "/api/assistant/chats/" + server.newChat() + "/files";
            OutputStream out = first.getOutputStream();
            out.write(head(files, form.length()).getBytes(StandardCharsets.UTF_8));
            out.write(form.substring(0, LONG * 3 / 4).getBytes(StandardCharsets.UTF_8));
            while (StoredResponseRows.in(database).isEmpty()) {
                Thread.onSpinWait(); // until the first has the key
            }

            HttpResponse<String> second =
                    other.send(
                            other.request(files)
                                    .header("Content-Type", "multipart/form-data; boundary=b")
                                    .header("Idempotency-Key", "k")
                                    .POST(BodyPublishers.ofString(form))
                                    .build());

            assertThat(second.statusCode()).as(second.body()).isEqualTo(409);
            assertThat(server.getJson(files).get("files")).isEmpty();
        }
    }

    private static String head(String path, int length) {
        return "POST "
                + path
                + " HTTP/1.1\r\nHost: satchel\r\nAuthorization: Bearer "
                + TestServer.KEY
                + "\r\nIdempotency-Key: k\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                + "Content-Length: "
                + length
                + "\r\n\r\n";
    }

    private static String form() {
        return "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
                + "x".repeat(LONG)
                + "\r\n--b--\r\n";
    }
}
