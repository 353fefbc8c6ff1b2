package dev.satchel.torture.scenario;

import dev.satchel.torture.harness.AcknowledgedWrites;
import dev.satchel.torture.harness.ClientTraffic;
import dev.satchel.torture.harness.InvariantChecks;
import dev.satchel.torture.harness.ScenarioContext;
import dev.satchel.torture.harness.ServerUnderTest;
import dev.satchel.torture.harness.TestClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A tenant floods a server: more long turns than the server executes at once, uploads of one byte
 * at a time, streams that are never read. Every turn of another tenant ends well meanwhile.
 */
public final class HostileTenant implements Scenario {
    private static final int TURNS_AT_ONCE = 24;
    private static final int SLOW_UPLOADS = 16;
    private static final int SLOW_READERS = 16;
    private static final Duration BETWEEN_BYTES = Duration.ofMillis(200);

    /** A tenant may execute half of the runs that the server executes at once. */
    private static final Map<String, String> LIMITS =
            Map.of("SATCHEL_MAX_RUNS", "8", "SATCHEL_MAX_TENANT_RUNS", "4");

    @Override
    public String name() {
        return "hostile-tenant";
    }

    @Override
    public boolean isShort() {
        return false;
    }

    @Override
    public void run(ScenarioContext context) throws Exception {
        AcknowledgedWrites writes = new AcknowledgedWrites();
        Path folder = context.createDirectory("server");
        try (ServerUnderTest server = new ServerUnderTest(folder, folder.resolve("data"), LIMITS)) {
            server.start();
            String hostile;
            try (TestClient client = server.client()) {
                hostile = client.newKey("hostile");
            }
            List<Thread> flood = flood(context, server, hostile);
            try (TestClient client = server.client()) {
                String chat = client.newChat();
                writes.chat(chat);
                for (int i = 0; i < (context.brief() ? 5 : 20); i++) {
                    InvariantChecks.require(
                            ClientTraffic.runTurn(client, chat, writes, context.counts()),
                            "a turn failed beside a hostile tenant");
                    context.counts().add("turns beside a hostile tenant");
                }
            } finally {
                flood.forEach(Thread::interrupt);
                for (Thread thread : flood) {
                    thread.join();
                }
            }
            new InvariantChecks(context.counts()).check(server, writes);
        }
    }

    private static List<Thread> flood(ScenarioContext context, ServerUnderTest server, String key) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < TURNS_AT_ONCE; i++) {
            threads.add(begin(() -> runLongTurns(context, server, key)));
        }
        for (int i = 0; i < SLOW_UPLOADS; i++) {
            threads.add(begin(() -> uploadSlowly(server.url(), key)));
        }
        for (int i = 0; i < SLOW_READERS; i++) {
            threads.add(begin(() -> neverRead(server.url(), key)));
        }
        return threads;
    }

    @FunctionalInterface
    private interface Attack {
        void run() throws IOException, InterruptedException;
    }

    private static Thread begin(Attack attack) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                try {
                                    attack.run();
                                } catch (IOException e) {
                                    // refused or cut off, and again
                                } catch (InterruptedException e) {
                                    return;
                                }
                            }
                        });
    }

    private static void runLongTurns(ScenarioContext context, ServerUnderTest server, String key)
            throws IOException, InterruptedException {
        try (TestClient client = new TestClient(server.url(), key)) {
            String chat = client.newChat();
            int status = client.turnStatus(chat, "/sleep 60");
            context.counts().add("hostile turns answered with " + status);
            Thread.sleep(BETWEEN_BYTES);
        }
    }

    private static void uploadSlowly(URI url, String key) throws IOException, InterruptedException {
        try (TestClient client = new TestClient(url, key);
                Socket socket = new Socket(url.getHost(), url.getPort())) {
            OutputStream out = socket.getOutputStream();
            String request =
                    """
                    POST /api/assistant/chats/%s/files HTTP/1.1
                    Host: satchel
                    Authorization: Bearer %s
                    Content-Type: multipart/form-data; boundary=b
                    Content-Length: 1000000

                    """
                            .formatted(client.newChat(), key);
            out.write(http(request));
            while (true) {
                out.write('-');
                Thread.sleep(BETWEEN_BYTES);
            }
        }
    }

    private static void neverRead(URI url, String key) throws IOException, InterruptedException {
        try (TestClient client = new TestClient(url, key);
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1024);
            socket.connect(new java.net.InetSocketAddress(url.getHost(), url.getPort()));
            String body =
                    "{\"chatId\":\"%s\",\"message\":\"/sh yes | head -c 3000000\"}"
                            .formatted(client.newChat());
            String request =
                    """
                    POST /api/assistant/chat/stream HTTP/1.1
                    Host: satchel
                    Authorization: Bearer %s
                    Content-Type: application/json
                    Content-Length: %d

                    %s"""
                            .formatted(key, body.length(), body);
            socket.getOutputStream().write(http(request));
            Thread.sleep(Duration.ofMinutes(1));
        }
    }

    private static byte[] http(String request) {
        return request.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    }
}
