package dev.satchel.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a bare sandbox has, asked in a real one. */
@Timeout(120)
class SandboxContentsTest {
    @TempDir Path data;

    @Test
    void theServerSaysWhatACommandFinds() throws Exception {
        try (TestServer server = TestServer.startWhole(data)) {
            JsonNode contents = server.getJson("/api/sandbox");

            assertThat(contents.get("system").stringValue()).isNotBlank();
            assertThat(contents.get("python").stringValue()).matches("3\\.\\d+\\.\\d+.*");
            assertThat(contents.get("packages").valueStream())
                    .extracting(found -> found.get("name").stringValue())
                    .contains("pydantic");
            assertThat(contents.get("tools").valueStream().map(JsonNode::stringValue))
                    .contains("git", "python3", "rg")
                    .doesNotContain("no-such-tool");
            assertThat(contents.get("prepared").booleanValue()).isFalse();
            assertThat(server.getJson("/api/sandbox")).isEqualTo(contents);
        }
    }

    @Test
    void aRunnerNeedNotSayIt() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            assertThat(server.get("/api/sandbox").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void withoutSandboxesItIs503() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            assertThat(server.get("/api/sandbox").statusCode()).isEqualTo(503);
        }
    }
}
