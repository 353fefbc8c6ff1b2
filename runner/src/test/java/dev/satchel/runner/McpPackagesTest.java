package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MCP servers of other projects, as programs in the sandbox and at an address. */
@Timeout(600) // the packages may have to be installed
class McpPackagesTest extends McpRunFixture {
    private static final String PROGRESS = "1/3\n2/3\n3/3\n";

    @Test
    void everythingServerWorksInTheSandbox() throws Exception {
        McpPackages.copyTo(workspace());
        satchel.variables.put("GREETING", "hello");
        satchel.mcpServers = Map.of("all", McpPackages.program("everything", List.of()));

        List<SandboxLine> lines =
                calling(
                        List.of(
                                "mcp__all__echo", "{\"message\":\"hello\"}",
                                "mcp__all__get-env", "{}",
                                "mcp__all__get-tiny-image", "{}",
                                "mcp__all__get-resource-reference",
                                        "{\"resourceType\":\"Text\",\"resourceId\":1}",
                                "mcp__all__get-resource-reference",
                                        "{\"resourceType\":\"Blob\",\"resourceId\":2}",
                                "mcp__all__get-resource-links", "{\"count\":2}",
                                "mcp__all__get-structured-content", "{\"location\":\"New York\"}",
                                "mcp__all__gzip-file-as-resource",
                                        "{\"name\":\"a.gz\",\"data\":\"data:text/plain,hello\"}",
                                "mcp__all__trigger-long-running-operation",
                                        "{\"duration\":0.3,\"steps\":3}",
                                "mcp__all__get-sum", "{\"a\":\"two\"}"));

        List<StepEnded> steps = ended(lines);
        assertThat(steps.subList(0, 9)).allMatch(step -> step.status() == Outcome.SUCCEEDED);
        assertThat(shown(steps.get(0))).isEqualTo("Echo: hello");
        assertThat(shown(steps.get(1)))
                .contains("\"GREETING\": \"hello\"", "\"PWD\": \"/root/workspace\"")
                .doesNotContain("JAVA_HOME", ScriptedSatchel.RUN);
        assertThat(steps.subList(2, 6))
                .extracting(step -> result(step, "files"))
                .containsExactly(
                        "[\"mcp/all/get-tiny-image.png\"]",
                        "[\"mcp/all/1.txt\"]",
                        "[\"mcp/all/2.txt\"]",
                        "[\"mcp/all/1-2.txt\",\"mcp/all/2-2.txt\"]");
        assertThat(heard()).contains("\"media_type\":\"image/png\"");
        assertThat(workspace().resolve("mcp/all/get-tiny-image.png")).isNotEmptyFile();
        assertThat(workspace().resolve("mcp/all/1.txt")).content().contains("Resource 1");
        assertThat(workspace().resolve("mcp/all/2-2.txt")).content().contains("Resource 2");
        assertThat(shown(steps.get(6))).contains("\"temperature\":");
        assertThat(unzipped("mcp/all/a.gz")).isEqualTo("hello");
        assertThat(progress(lines)).isEqualTo(PROGRESS);
        assertThat(steps.get(9).status()).isEqualTo(Outcome.FAILED);
        assertThat(steps.get(9).error()).contains("Input validation error");
        assertThat(provider.asked().getLast().body().get("tools").toString())
                .doesNotContain("mcp__all__simulate-research-query");
        assertThat(warnings(lines))
                .contains(
                        "mcp server=all tools left out: simulate-research-query (it can only be"
                                + " called as a task)");
    }

    @ParameterizedTest
    @CsvSource({"streamableHttp, /mcp", "sse, /sse"})
    void everythingServerWorksAtAnAddress(String transport, String path) throws Exception {
        satchel.mcpServers = Map.of("all", at(transport, path));

        List<SandboxLine> lines =
                calling(
                        List.of(
                                "mcp__all__echo", "{\"message\":\"hello\"}",
                                "mcp__all__get-tiny-image", "{}",
                                "mcp__all__get-resource-links", "{\"count\":2}",
                                "mcp__all__trigger-long-running-operation",
                                        "{\"duration\":0.3,\"steps\":3}"));

        assertThat(ended(lines)).allMatch(step -> step.status() == Outcome.SUCCEEDED);
        assertThat(shown(ended(lines).get(0))).isEqualTo("Echo: hello");
        assertThat(heard()).contains("\"media_type\":\"image/png\"");
        assertThat(workspace().resolve("mcp/all/2.txt")).content().contains("Resource 2");
        assertThat(progress(lines)).isEqualTo(PROGRESS);
    }

    @Test
    void filesystemServerReadsAndWritesTheWorkspaceOnly() throws Exception {
        McpPackages.copyTo(workspace());
        satchel.bag.put("note.txt", "from the person");
        satchel.script = "ln -s /etc outside";
        satchel.mcpServers =
                Map.of("files", McpPackages.program("filesystem", List.of("/root/workspace")));

        List<SandboxLine> lines =
                calling(
                        List.of(
                                "mcp__files__list_allowed_directories", "{}",
                                "mcp__files__read_text_file", "{\"path\":\"note.txt\"}",
                                "mcp__files__write_file",
                                        "{\"path\":\"/root/workspace/new.txt\",\"content\":\"made\"}",
                                "mcp__files__read_text_file", "{\"path\":\"/etc/passwd\"}",
                                "mcp__files__read_text_file", "{\"path\":\"outside/passwd\"}",
                                "mcp__files__write_file",
                                        "{\"path\":\"/tmp/new.txt\",\"content\":\"made\"}"));

        List<StepEnded> steps = ended(lines);
        assertThat(shown(steps.get(0))).isEqualTo("Allowed directories:\n/root/workspace");
        assertThat(shown(steps.get(1))).isEqualTo("from the person");
        assertThat(workspace().resolve("new.txt")).hasContent("made");
        assertThat(steps.subList(3, 6))
                .allMatch(step -> step.status() == Outcome.FAILED)
                .allMatch(step -> String.valueOf(step.error()).contains("Access denied"));
    }

    private McpServer at(String transport, String path) throws Exception {
        int port = port(McpPackages.listen("everything", transport));
        return McpServer.http("http://127.0.0.1:" + port + path, Map.of(), null);
    }

    private Path workspace() {
        return data.resolve("workspaces/chat-1");
    }

    private String unzipped(String file) throws Exception {
        try (GZIPInputStream content =
                new GZIPInputStream(Files.newInputStream(workspace().resolve(file)))) {
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String shown(StepEnded step) {
        return Objects.requireNonNull(step.result()).get("text").stringValue();
    }

    private static String result(StepEnded step, String field) {
        return Objects.requireNonNull(step.result()).path(field).toString();
    }

    private static String progress(List<SandboxLine> lines) {
        return lines.stream()
                .filter(SandboxLine.Output.class::isInstance)
                .map(line -> ((SandboxLine.Output) line).text())
                .collect(Collectors.joining());
    }
}
