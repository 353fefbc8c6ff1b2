package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.NpmPackages;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The real packages tus-js-client and Uppy, with the options that need extensions of tus. */
@Timeout(120)
class TusPackagesTest {
    private static final Path FOLDER = Path.of("src", "test", "clients");
    private static final int BYTES = 1_000_003;

    @ParameterizedTest
    @CsvSource({"parallel", "deferred", "uppy"})
    void everyWayOfUploadingGivesTheWholeFile(String way) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            JsonNode result = upload(way, server);
            assertThat(result.has("error")).as(result.toString()).isFalse();
            String url = result.get("url").stringValue();
            String id = url.substring(url.lastIndexOf('/') + 1);
            String chat = server.newChat();
            server.post(
                    "/api/assistant/chats/" + chat + "/files/claim",
                    Map.of("fileIds", List.of(id)));
            JsonNode file =
                    server.getJson("/api/assistant/chats/" + chat + "/files").at("/files/0");
            assertThat(file.get("name").stringValue()).isEqualTo("big.bin");
            assertThat(file.get("size").intValue()).isEqualTo(BYTES);
            assertThat(file.get("sha256").stringValue()).isEqualTo(sha256());
        }
    }

    private static JsonNode upload(String way, TestServer server) throws Exception {
        Process client =
                NpmPackages.install(FOLDER)
                        .node(
                                Map.of(),
                                "tus.mjs",
                                way,
                                server.url("").toString(),
                                TestServer.KEY,
                                Integer.toString(BYTES));
        try {
            byte[] said = client.getInputStream().readAllBytes();
            client.waitFor();
            return Json.MAPPER.readTree(new String(said, StandardCharsets.UTF_8));
        } finally {
            client.destroyForcibly();
        }
    }

    /** Of the bytes that the script makes. */
    private static String sha256() throws Exception {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
