package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.NdjsonWriter;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.model.ModelWireFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Runs whose agent has the MCP server of these tests, written in plain Python. */
abstract class McpRunFixture extends ModelRunFixture {
    static final ModelWireFormat WIRE = new ModelWireFormat.Anthropic();

    private final List<Process> servers = new ArrayList<>();

    @AfterEach
    void endServers() {
        servers.forEach(Process::destroyForcibly);
    }

    static String script() throws IOException {
        return Files.readString(Path.of("src/test/resources/mcp/server.py"));
    }

    /** The server as a program in the sandbox. */
    final McpServer program(Map<String, String> variables) throws IOException {
        satchel.bag.put("server.py", script());
        return McpServer.stdio("python3", List.of("server.py", "stdio"), variables);
    }

    /** Starts the server on this machine and returns its port. */
    final int listen(Map<String, String> variables) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("python3", "src/test/resources/mcp/server.py", "http")
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(variables);
        return port(builder.start());
    }

    /** The port that a server prints; the server ends with the test. */
    final int port(Process process) throws IOException {
        servers.add(process);
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return Integer.parseInt(output.readLine());
    }

    /** Lets the model call tools one after the other, by the names that it is given. */
    final List<SandboxLine> calling(List<String> toolsAndArguments) throws Exception {
        use(WIRE, "key");
        satchel.maxRounds = toolsAndArguments.size() / 2 + 1;
        for (int i = 0; i < toolsAndArguments.size(); i += 2) {
            provider.thenStream(
                    WIRE.toolCall(
                            "", "c" + i, toolsAndArguments.get(i), toolsAndArguments.get(i + 1)));
        }
        provider.thenStream(WIRE.text("Done."));
        List<SandboxLine> lines = run("go");
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
        return lines;
    }

    static List<SandboxLine.StepEnded> ended(List<SandboxLine> lines) {
        return lines.stream()
                .filter(SandboxLine.StepEnded.class::isInstance)
                .map(SandboxLine.StepEnded.class::cast)
                .toList();
    }

    /** The last result that the model read. */
    final String heard() {
        return provider.asked().getLast().body().get("messages").toString();
    }

    static String text(List<SandboxLine> lines) {
        StringBuilder all = new StringBuilder();
        for (SandboxLine line : lines) {
            all.append(new String(NdjsonWriter.encode(line), StandardCharsets.UTF_8));
        }
        return all.toString();
    }
}
