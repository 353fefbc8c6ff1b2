package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** tus-js-client against our server, where there is a Node.js and npm can fetch it. */
class TusClientTest {
    private static final String CLIENT = "tus-js-client@4.3.1";
    private static final Path MODULES = Path.of("target", "node").toAbsolutePath();
    private static final Path SCRIPT =
            Path.of("src", "test", "node", "tus-client.cjs").toAbsolutePath();

    @Test
    void anUploadSurvivesAPauseAndALostConnection(@TempDir Path folder) throws Exception {
        assumeTrue(installed(), "needs npm and its registry");
        byte[] bytes = new byte[9_900_000];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(folder.resolve("big.bin"), bytes);
        Path data = folder.resolve("data");
        try (TestServer server = TestServer.start(data, null, null)) {
            Process client =
                    new ProcessBuilder(
                                    "node",
                                    SCRIPT.toString(),
                                    MODULES.toString(),
                                    server.url("").toString(),
                                    TestServer.KEY,
                                    file.toString())
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(client.waitFor()).as(said).isZero();
            JsonNode outcome = Json.MAPPER.readTree(said);
            assertThat(outcome.get("paused").booleanValue()).isTrue();
            assertThat(outcome.get("lost").booleanValue()).isTrue();
        }
        try (Stream<Path> files = Files.walk(data.resolve("objects"))) {
            Path stored = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            assertThat(Files.readAllBytes(stored)).isEqualTo(bytes);
        }
    }

    private static boolean installed() throws InterruptedException {
        if (Files.isDirectory(MODULES.resolve("node_modules/tus-js-client"))) {
            return true;
        }
        try {
            return new ProcessBuilder(
                                    "npm",
                                    "install",
                                    "--silent",
                                    "--prefix",
                                    MODULES.toString(),
                                    CLIENT)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
