package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolNames;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolsetTest {
    @Test
    void theServerKnowsTheNamesOfAllTools() {
        assertThat(names(Toolset.standard())).containsExactlyElementsOf(ToolNames.OF_THE_LOOP);
        assertThat(names(Toolset.standard())).contains("list_assets");
    }

    @Test
    void anAgentMayHaveSomeToolsOnly() {
        Toolset some = Toolset.standard().only(List.of("view", "list*", "mcp:files:*"));

        assertThat(names(some)).containsExactly("view", "list_assets");
        assertThat(some.find("read_file")).isPresent(); // another name of view
        assertThat(some.find("sh")).isEmpty();
        assertThat(names(Toolset.standard().only(null))).hasSize(9);
        assertThat(Toolset.standard().only(List.of()).unknown("sh").text())
                .isEqualTo("Unknown tool sh. This agent has no tools.");
    }

    private static List<String> names(Toolset tools) {
        return tools.descriptions().stream().map(ToolDescription::name).toList();
    }
}
