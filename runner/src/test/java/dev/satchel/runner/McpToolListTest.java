package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.protocol.SandboxLine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP servers whose lists of tools are wrong or have no end. */
class McpToolListTest extends McpRunFixture {
    private static final int MOST = 128;
    private static final String UNFINISHED =
            "mcp lists of tools are longer and were not read to their ends, servers: py";

    private McpServer server(String type, String list) throws Exception {
        Map<String, String> variables = Map.of("LIST", list);
        return type.equals("stdio")
                ? program(variables)
                : McpServer.http("http://127.0.0.1:" + listen(variables) + "/mcp", Map.of(), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void toolsBeyondTheLimitAreCountedInTheTrace(String type) throws Exception {
        satchel.mcpServers = Map.of("py", server(type, "many"));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"still\"}"));

        assertThat(offered()).hasSize(MOST);
        assertThat(heard()).contains("echo: still");
        assertThat(warnings(lines))
                .anySatisfy(
                        line ->
                                assertThat(line)
                                        .startsWith(
                                                "mcp tools left out, because a run may have 128"
                                                        + " (SATCHEL_MCP_TOOLS): mcp:py:t114,")
                                        .endsWith(" and 9866 more"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void listWithoutAnEndIsReadToTheLimit(String type) throws Exception {
        satchel.mcpServers = Map.of("py", server(type, "endless"));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"still\"}"));

        assertThat(offered()).hasSizeBetween(2, MOST);
        assertThat(heard()).contains("echo: still");
        assertThat(warnings(lines)).contains(UNFINISHED);
    }

    @Test
    void listOfEmptyPagesWithoutAnEndIsGivenUp() throws Exception {
        satchel.mcpServers = Map.of("py", server("stdio", "empty"));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"still\"}"));

        assertThat(offered()).containsExactly("mcp__py__echo");
        assertThat(heard()).contains("echo: still");
        assertThat(warnings(lines)).contains(UNFINISHED);
    }

    @Test
    void invalidToolsAreLeftOutWithTheirReasonsAndTheOthersWork() throws Exception {
        satchel.mcpServers = Map.of("py", server("stdio", "invalid"));

        List<SandboxLine> lines =
                calling(
                        List.of(
                                "mcp__py__sh", "{\"text\":\"not the shell\"}",
                                "sh", "{\"command\":\"echo the shell\"}"));

        assertThat(offered())
                .contains("mcp__py__long", "mcp__py__number", "mcp__py__sh", "mcp__py__plain")
                .doesNotHaveDuplicates()
                .hasSize(14 + 4);
        assertThat(heard()).contains("sh: not the shell", "the shell");
        assertThat(ended(lines))
                .extracting(SandboxLine.StepEnded::name)
                .containsExactly("mcp:py:sh", "sh");
        assertThat(String.join("\n", warnings(lines)))
                .contains("tools=18 invalid=12")
                .contains("a tool (it has no name)")
                .contains("two words (its name is not 1 to 128 visible characters)")
                .contains("text (its schema is invalid: it is not an object)")
                .contains("type (its schema is invalid: its type is not object)")
                .contains("list (its schema is invalid: /properties is not an object)")
                .contains("word (its schema is invalid: /properties/a/type does not have the form")
                .contains("large (its schema has more than 65536 characters)")
                .contains("deep (its schema is invalid: it is nested more than 40 levels deep)")
                .contains("task (it can only be called as a task)")
                .contains("echo (the server has two of this name)")
                .contains("tools shortened: long (its description is cut to 8000 characters)");
    }

    private List<String> offered() {
        return provider.asked()
                .getFirst()
                .body()
                .get("tools")
                .valueStream()
                .map(tool -> tool.get("name").stringValue())
                .filter(name -> name.startsWith("mcp__"))
                .toList();
    }
}
