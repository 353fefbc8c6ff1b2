package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** MCP servers that are programs in the sandbox. */
class McpStdioTest extends McpRunFixture {
    @Test
    void programSeesTheSandboxAndNothingElse() throws Exception {
        satchel.variables.put("GREETING", "hello");
        satchel.mcpServers = Map.of("py", program(Map.of("COLOUR", "dark blue")));

        List<SandboxLine> lines = calling(List.of("mcp__py__where", "{}"));

        assertThat(ended(lines).getFirst().status()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(ended(lines).getFirst().name()).isEqualTo("mcp:py:where");
        assertThat(result(ended(lines).getFirst()).get("text").stringValue())
                .contains("\"cwd\": \"/root/workspace\"", "\"server.py\"")
                .contains("\"COLOUR\": \"dark blue\"", "\"GREETING\": \"hello\"")
                .doesNotContain("JAVA_HOME", ScriptedSatchel.RUN);
    }

    @Test
    void progressIsTheOutputOfTheStep() throws Exception {
        satchel.mcpServers = Map.of("py", program(Map.of()));

        List<SandboxLine> lines = calling(List.of("mcp__py__progress", "{}"));

        assertThat(
                        lines.stream()
                                .filter(SandboxLine.Output.class::isInstance)
                                .map(line -> ((SandboxLine.Output) line).text())
                                .collect(Collectors.joining()))
                .isEqualTo("1/3 working on part 1\n2/3 working on part 2\n3/3 working on part 3\n");
    }

    @Test
    void imagesAndResourcesBecomeFiles() throws Exception {
        satchel.mcpServers = Map.of("py", program(Map.of()));

        List<SandboxLine> lines =
                calling(
                        List.of(
                                "mcp__py__picture", "{}",
                                "mcp__py__resource", "{}",
                                "mcp__py__link", "{}"));

        assertThat(ended(lines))
                .extracting(step -> result(step).path("files").toString())
                .containsExactly(
                        "[\"mcp/py/picture.png\"]", "[\"mcp/py/q1.csv\"]", "[\"mcp/py/two.txt\"]");
        assertThat(heard()).contains("\"media_type\":\"image/png\"");
        assertThat(data.resolve("workspaces/chat-1/mcp/py/q1.csv")).hasContent("a,b\n1,2\n");
        assertThat(data.resolve("workspaces/chat-1/mcp/py/two.txt")).hasContent("linked text");
    }

    @Test
    void toolThatAppearsIsOfferedInTheNextRound() throws Exception {
        satchel.mcpServers = Map.of("py", program(Map.of()));

        calling(List.of("mcp__py__grow", "{}", "mcp__py__grown", "{\"text\":\"up\"}"));

        assertThat(provider.asked().get(0).body().get("tools").toString()).doesNotContain("grown");
        assertThat(provider.asked().get(1).body().get("tools").toString())
                .contains("mcp__py__grown");
        assertThat(heard()).contains("grown: up");
    }

    @Test
    void errorOfAToolIsAFailedStepWithItsWords() throws Exception {
        satchel.mcpServers = Map.of("py", program(Map.of()));

        assertThat(ended(calling(List.of("mcp__py__fail", "{}"))).getFirst().error())
                .isEqualTo("the printer is on fire");
    }

    @ParameterizedTest
    @CsvSource({
        "hang, it did not answer within 2 s",
        "flood, it sent a message of more than 1048576 bytes",
        "die, the program has ended; its last words were: giving up",
        "lie, ''"
    })
    void programThatMisbehavesIsAFailedStep(String tool, String reason) throws Exception {
        restart(
                configuration(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "127.0.0.1",
                                "SATCHEL_MCP_RESULT_KB", "1024",
                                "SATCHEL_MCP_CALL_SECONDS", tool.equals("hang") ? "2" : "60")));
        satchel.mcpServers = Map.of("py", program(Map.of("CANCELLED", "cancelled.txt")));

        List<SandboxLine> lines =
                calling(List.of("mcp__py__" + tool, "{}", "mcp__py__echo", "{\"text\":\"again\"}"));

        assertThat(ended(lines).getFirst().error())
                .startsWith("The MCP server py did not complete the call: " + reason)
                .endsWith("The call was not repeated, and it may have had effects.");
        assertThat(ended(lines).getLast().status()).isEqualTo(Outcome.SUCCEEDED);
        if (tool.equals("hang")) {
            assertThat(data.resolve("workspaces/chat-1/cancelled.txt")).hasContent("cancelled");
        }
    }

    @Test
    void serverThatDoesNotStartLeavesTheOthers() throws Exception {
        satchel.mcpServers =
                Map.of(
                        "broken",
                        McpServer.stdio("python3", List.of("-c", "import nothing"), Map.of()),
                        "py",
                        program(Map.of()));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"still\"}"));

        assertThat(ended(lines))
                .extracting(SandboxLine.StepEnded::name)
                .containsExactly("mcp:broken", "mcp:py:echo");
        assertThat(ended(lines).getFirst().error())
                .startsWith("The MCP server broken brings no tools: the program has ended")
                .contains("No module named 'nothing'");
        assertThat(heard()).contains("echo: still");
    }

    @Test
    void toolsBeyondTheLimitAreNamedInTheTrace() throws Exception {
        restart(
                configuration(
                        Map.of("SATCHEL_PRIVATE_HOSTS", "127.0.0.1", "SATCHEL_MCP_TOOLS", "13")));
        satchel.mcpServers = Map.of("py", program(Map.of()));

        assertThat(warnings(calling(List.of())))
                .contains(
                        "mcp tools left out, because a run may have 13 (SATCHEL_MCP_TOOLS):"
                                + " mcp:py:token");
    }

    private static JsonNode result(SandboxLine.StepEnded step) {
        return Objects.requireNonNull(step.result());
    }
}
