package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools with an object store without local files: they read temporary copies. */
class McpOnS3Test {
    @Test
    void toolsReadAndStageFromABucketAndReportMissingObjects(
            @TempDir Path data, @TempDir Path bucket) throws Exception {
        try (S3ProxyProcess proxy = S3ProxyProcess.start(bucket)) {
            S3Settings settings = proxy.newBucket();
            try (TestServer server = TestServer.start(on(settings, data), Clock.systemUTC())) {
                String chat = server.newChat();
                server.upload(chat, "fruit.txt", "pear\napple\n");
                McpClient client = McpClient.of(server, chat);
                String asset = McpClient.asset(server, "more.txt", "apple pie\n");
                client.call("stage_asset", Map.of("id", asset));

                assertThat(client.text("view", Map.of("path", "fruit.txt")))
                        .isEqualTo("1. pear\n2. apple");
                assertThat(client.text("grep", Map.of("pattern", "^ap")))
                        .contains("uploaded/fruit.txt")
                        .contains("staged/" + asset + "-more.txt");
                delete(settings, "fruit.txt");
                assertThat(client.text("view", Map.of("path", "fruit.txt")))
                        .contains("does not exist");
                assertThat(lastReason(data, chat)).isEqualTo("bytes_missing");
            }
        }
    }

    private static Configuration on(S3Settings settings, Path data) {
        return TestConfiguration.withBucket(TestServer.configuration(data, null, null), settings);
    }

    private static void delete(S3Settings settings, String name) throws Exception {
        try (S3ObjectStore store = new S3ObjectStore(settings);
                Stream<ObjectKey> keys = store.list("").map(object -> object.key())) {
            store.delete(keys.filter(key -> key.value().endsWith(name)).findFirst().orElseThrow());
        }
    }

    private static String lastReason(Path data, String chat) {
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            List<AuditEvent> all = database.read(tx -> new AuditStore().ofSession(tx, chat));
            return all.getLast().detail().getOrDefault("reason", "");
        }
    }
}
