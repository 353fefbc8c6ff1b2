package dev.satchel.tools.grep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.tools.ToolResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class GrepToolTest extends GrepContract {
    private Duration maxTime = Duration.ofSeconds(30);

    @Override
    protected ToolResult call(JsonNode arguments) throws Exception {
        return new GrepTool(maxTime).call(arguments, new GrepTool.Context(files, documents));
    }

    @Test
    void aSlowSearchIsStoppedAtTheTimeLimit() throws Exception {
        file("f", "a".repeat(15_000_000));
        maxTime = Duration.ofMillis(50);
        assertThat(succeeds("{'pattern': '(.*a){100}\\\\pN', 'path': 'f'}"))
                .isEqualTo("(The search took too long and was stopped; there may be more.)");
    }

    @Test
    void multilineSearchesFilesOfLimitedSize() throws Exception {
        file("big", "x".repeat(9_000_000));
        assertThat(fails("{'pattern': 'x', 'path': 'big', 'multiline': true}"))
                .contains("multiline searches files up to 8 MB");
    }

    @Test
    void aLineIsSearchedToItsEndWhateverItsLength() throws Exception {
        file("f", "first\n" + "a".repeat(40_000_000) + "needle\nlast\n");
        assertThat(succeeds("{'pattern': 'needle', 'path': 'f'}"))
                .startsWith("f:2:…aaa")
                .endsWith("aneedle");
        assertThat(succeeds("{'pattern': 'last', 'path': 'f'}")).isEqualTo("f:3:last");
    }
}
