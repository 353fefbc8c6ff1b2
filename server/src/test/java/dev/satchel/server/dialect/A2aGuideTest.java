package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.AskScript;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Runs the programs of docs/guides/agents-by-a2a.md. */
class A2aGuideTest extends GuideFixture {
    @Override
    Path guide() {
        return Path.of("..", "docs", "guides", "agents-by-a2a.md");
    }

    @Test
    void theCardIsOpen() throws Exception {
        ProcessBuilder curl = new ProcessBuilder("bash", "-euc", blocks("sh").getFirst());
        assertThat(output(curl.start())).contains("\"JSONRPC\"", "\"1.0\"");
    }

    @Test
    void anAgentGivesATaskAndAnswersWhatItAsks() throws Exception {
        Process program = run(blocks("js").getFirst());
        AskScript.asks(sandbox.next(), AskScript.APPROVAL);
        sandbox.next().answers("Done.");
        assertThat(output(program))
                .isEqualTo("May I call sh? Answer yes or no.\n I clean up.\n Done.\n");
    }
}
