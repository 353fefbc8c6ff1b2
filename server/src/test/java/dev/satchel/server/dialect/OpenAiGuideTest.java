package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Runs the programs of docs/guides/openai-clients.md. */
class OpenAiGuideTest extends GuideFixture {
    @Override
    Path guide() {
        return Path.of("..", "docs", "guides", "openai-clients.md");
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
}
