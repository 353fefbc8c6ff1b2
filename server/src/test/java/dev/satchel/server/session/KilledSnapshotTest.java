package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.ServerProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server is killed at random moments while it takes snapshots: its last snapshot is complete, of
 * one version, and not older than the last one that it has reported.
 */
@Timeout(600)
class KilledSnapshotTest {
    private static final int FILES = 30;
    private static final int LONGEST_WAIT_MILLIS = 250;

    @TempDir Path folder;
    private final Random random = new Random(20261115);
    private final Map<String, String> settings = new HashMap<>();
    private String session = "";
    private int written;
    private volatile int promised;

    @Test
    void onDiskTheLastSnapshotIsComplete() throws Exception {
        killAndLook(6);
    }

    @Test
    void inAnS3StoreTheLastSnapshotIsComplete() throws Exception {
        try (S3ProxyProcess store =
                S3ProxyProcess.start(Files.createDirectory(folder.resolve("s3")))) {
            S3Settings bucket = store.newBucket();
            settings.put("SATCHEL_S3_BUCKET", bucket.bucket());
            settings.put("SATCHEL_S3_ENDPOINT", String.valueOf(bucket.endpoint()));
            settings.put("SATCHEL_S3_ACCESS_KEY", "satchel");
            settings.put("SATCHEL_S3_SECRET_KEY", "not-a-secret");
            settings.put("SATCHEL_S3_PATH_STYLE", "true");
            killAndLook(2);
        }
    }

    private void killAndLook(int rounds) throws Exception {
        settings.put("SANDBOX_URL", "http://127.0.0.1:9"); // no run is dispatched
        settings.put("SANDBOX_WORKSPACES_DIR", workspaces().toString());
        for (int round = 0; round <= rounds; round++) {
            try (ServerProcess server =
                    ServerProcess.start(folder.resolve("data"), Map.copyOf(settings))) {
                if (round == 0) {
                    begin(server);
                } else {
                    look(server);
                }
                if (round < rounds) {
                    killWhileItKeeps(server);
                    delete(workspaces().resolve(session));
                }
            }
        }
    }

    private void begin(ServerProcess server) throws Exception {
        server.send("POST", "/api/agents", "{\"name\":\"qa-bot\"}");
        session =
                Json.MAPPER
                        .readTree(
                                server.send("POST", "/api/sessions", "{\"agent\":\"qa-bot\"}")
                                        .body())
                        .get("session")
                        .get("id")
                        .stringValue();
    }

    /** All files are there, and of one version. */
    private void look(ServerProcess server) throws Exception {
        JsonNode listing = Json.MAPPER.readTree(server.send("GET", path("/files"), "").body());
        assertThat(listing.path("source").stringValue("")).isEqualTo("snapshot");
        Set<Integer> versions = new HashSet<>();
        for (JsonNode file : listing.get("files")) {
            String content =
                    server.send("GET", path("/files/" + file.get("path").stringValue()), "").body();
            assertThat(content.length()).isEqualTo(file.get("size").intValue());
            versions.add(Integer.valueOf(content.substring(0, content.indexOf(' '))));
        }
        assertThat(listing.get("files")).hasSize(FILES);
        assertThat(versions).hasSize(1);
        assertThat(versions.iterator().next()).isBetween(promised, written);
    }

    /** At a random moment after the first reported snapshot. */
    private void killWhileItKeeps(ServerProcess server) throws Exception {
        Semaphore kept = new Semaphore(0);
        Thread keeping = Thread.startVirtualThread(() -> keepOn(server, kept));
        kept.acquire();
        boolean _ = keeping.join(java.time.Duration.ofMillis(random.nextInt(LONGEST_WAIT_MILLIS)));
        server.kill();
        keeping.join();
    }

    private void keepOn(ServerProcess server, Semaphore kept) {
        try {
            while (true) {
                server.send("POST", path("/resume"), "");
                write();
                HttpResponse<String> paused = server.send("POST", path("/pause"), "");
                assertThat(paused.statusCode()).isEqualTo(200);
                promised = written;
                kept.release();
            }
        } catch (IOException | InterruptedException e) {
            kept.release(); // killed, as it should be
        }
    }

    private void write() throws IOException {
        written++;
        Path workspace = Files.createDirectories(workspaces().resolve(session).resolve("deep"));
        for (int i = 0; i < FILES; i++) {
            String noise = Long.toHexString(random.nextLong()).repeat(500);
            Files.writeString(workspace.resolve("file-" + i), written + " " + noise);
        }
    }

    private Path workspaces() {
        return folder.resolve("workspaces");
    }

    private String path(String rest) {
        return "/api/sessions/" + session + rest;
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
