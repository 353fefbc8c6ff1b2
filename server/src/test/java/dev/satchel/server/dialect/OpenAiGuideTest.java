package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.NpmPackages;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Runs the programs of docs/guides/openai-clients.md as they are written there. Only the address of
 * the server is another, and a scripted agent answers.
 */
class OpenAiGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "openai-clients.md");
    private static final Path CLIENTS = Path.of("src", "test", "clients");

    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void theModelsAreListed() throws Exception {
        ProcessBuilder curl = new ProcessBuilder("bash", "-euc", blocks("sh").getFirst());
        curl.environment().put("SATCHEL_KEY", TestServer.KEY);
        assertThat(output(curl.start())).contains("\"satchel\"", "\"scripted\"");
    }

    @Test
    void aProgramAsksTwiceInOneConversation() throws Exception {
        Process program = run(blocks("js").getFirst());
        sandbox.next().stepStarts("s1", "bash").stepSucceeds("s1", "bash").answers("The report.");
        sandbox.next().answers("By month.");

        assertThat(output(program)).isEqualTo("The report.\nBy month.\n");
        assertThat(server.getJson("/api/assistant/chats").get("chats")).hasSize(1);
    }

    @Test
    void aProgramNamesItsConversation() throws Exception {
        for (int times = 0; times < 2; times++) {
            Process program = run(blocks("js").get(1));
            sandbox.next().answers("Read.");
            assertThat(output(program)).isEqualTo("Read.\n");
        }
        assertThat(server.getJson("/api/assistant/chats").get("chats")).hasSize(1);
    }

    @Test
    void aProgramUploadsAsksInTheBackgroundAndDownloads() throws Exception {
        Process program = run(blocks("js").get(2));
        ScriptedSandbox.RunOnStage run = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            calls.handIn(run.dispatch(), new MultipartBody().file("sums.csv", "1,2"));
        }
        run.answers("Summed.");
        assertThat(output(program)).isEqualTo("Summed.\nsums.csv 1,2\n");
    }

    private Process run(String program) throws Exception {
        return NpmPackages.install(CLIENTS)
                .node(Map.of("SATCHEL_KEY", TestServer.KEY), "--input-type=module", "-e", program);
    }

    private static String output(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }

    private List<String> blocks(String language) throws IOException {
        return Stream.of(Files.readString(GUIDE).split("(?m)^```" + language + "\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .map(block -> block.replace("http://localhost:8080", server.url("").toString()))
                .toList();
    }
}
