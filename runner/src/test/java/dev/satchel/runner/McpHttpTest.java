package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP servers at an address. */
class McpHttpTest extends McpRunFixture {
    private static final String TOKEN = "canary-token-4711";

    private static McpServer at(int port, String path) {
        return McpServer.http("http://127.0.0.1:" + port + path, Map.of(), null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mcp", "/sse"})
    void toolIsOfferedUnderALegalNameAndCalled(String path) throws Exception {
        satchel.mcpServers = Map.of("py", at(listen(Map.of()), path));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"hello\"}"));

        assertThat(provider.asked().getFirst().body().get("tools").toString())
                .contains("\"mcp__py__echo\"");
        assertThat(ended(lines))
                .extracting(SandboxLine.StepEnded::name)
                .containsExactly("mcp:py:echo");
        assertThat(ended(lines).getFirst().status()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(heard()).contains("echo: hello");
        assertThat(logs(lines)).anyMatch(log -> log.startsWith("mcp server=py tools=14 "));
    }

    @Test
    void addressOnThisMachineIsAFailedStepUnlessTheOperatorListsIt() throws Exception {
        restart(configuration(Map.of("SATCHEL_PRIVATE_HOSTS", "127.0.0.1:" + provider.port())));
        satchel.mcpServers = Map.of("py", at(listen(Map.of()), "/mcp"));

        List<SandboxLine> lines = calling(List.of());

        assertThat(ended(lines)).hasSize(1);
        assertThat(ended(lines).getFirst().name()).isEqualTo("mcp:py");
        assertThat(ended(lines).getFirst().error())
                .startsWith("The MCP server py brings no tools: 127.0.0.1:")
                .endsWith(
                        " is not among the allowed hosts, is no public host, or leads to a private"
                                + " address, which only the operator can allow.");
    }

    @Test
    void connectionThatBreaksOffAtTheStartIsOpenedAgain() throws Exception {
        satchel.mcpServers = Map.of("py", at(listen(Map.of("BREAK", "2")), "/mcp"));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"hello\"}"));

        assertThat(ended(lines)).hasSize(1);
        assertThat(heard()).contains("echo: hello");
    }

    @Test
    void redirectIsNotFollowed() throws Exception {
        restart(
                configuration(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "127.0.0.1",
                                "SATCHEL_MCP_START_SECONDS", "2")));
        int other = listen(Map.of());
        String elsewhere = "http://127.0.0.1:" + other + "/mcp";
        satchel.mcpServers = Map.of("py", at(listen(Map.of("REDIRECT", elsewhere)), "/mcp"));

        assertThat(ended(calling(List.of())).getFirst().error())
                .startsWith("The MCP server py brings no tools: ");
    }

    @Test
    void theTraceOfTheDispatchIsPassedOn() throws Exception {
        String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        client.traceparent = Optional.of(trace);
        satchel.mcpServers = Map.of("py", at(listen(Map.of()), "/mcp"));

        List<SandboxLine> _ = calling(List.of("mcp__py__token", "{\"header\":\"traceparent\"}"));

        assertThat(heard()).contains("your token is " + trace);
        assertThat(satchel.traces).isNotEmpty().containsOnly(trace);
    }

    @Test
    void credentialIsSentAndNeverShown() throws Exception {
        satchel.credentials.put("hub", new ConcurrentLinkedQueue<>(List.of(TOKEN)));
        int port = listen(Map.of("TOKENS", TOKEN));
        satchel.mcpServers =
                Map.of("py", McpServer.http("http://127.0.0.1:" + port + "/mcp", Map.of(), "hub"));

        List<SandboxLine> lines = calling(List.of("mcp__py__token", "{}"));

        assertThat(heard()).contains("your token is Bearer [credential]").doesNotContain(TOKEN);
        assertThat(text(lines)).doesNotContain(TOKEN);
    }

    @Test
    void credentialIsFetchedAgainWhenTheServerRefusesIt() throws Exception {
        String next = "canary-token-4712";
        satchel.credentials.put("hub", new ConcurrentLinkedQueue<>(List.of(TOKEN, next)));
        int port = listen(Map.of("TOKENS", TOKEN + "," + next)); // the first one holds once
        satchel.mcpServers =
                Map.of(
                        "py",
                        McpServer.http(
                                "http://127.0.0.1:" + port + "/mcp",
                                Map.of("Authorization", "Bearer secret:hub"),
                                null));

        List<SandboxLine> lines = calling(List.of("mcp__py__echo", "{\"text\":\"again\"}"));

        assertThat(heard()).contains("echo: again");
        assertThat(text(lines)).doesNotContain(TOKEN, next);
    }

    @Test
    void credentialThatIsMissingIsAFailedStep() throws Exception {
        int port = listen(Map.of());
        satchel.mcpServers =
                Map.of("py", McpServer.http("http://127.0.0.1:" + port + "/mcp", Map.of(), "hub"));

        assertThat(ended(calling(List.of())).getFirst().error())
                .isEqualTo("The MCP server py brings no tools: there is no credential called hub.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lie", "hang", "flood", "die"})
    void serverThatMisbehavesIsAFailedStep(String tool) throws Exception {
        restart(
                configuration(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS", "127.0.0.1",
                                "SATCHEL_MCP_RESULT_KB", "1024",
                                "SATCHEL_MCP_CALL_SECONDS", "2")));
        satchel.mcpServers = Map.of("py", at(listen(Map.of()), "/mcp"));

        List<SandboxLine> lines = calling(List.of("mcp__py__" + tool, "{}"));

        assertThat(ended(lines).getFirst().status()).isEqualTo(Outcome.FAILED);
        assertThat(ended(lines).getFirst().error())
                .startsWith("The MCP server py did not complete the call: ");
    }
}
