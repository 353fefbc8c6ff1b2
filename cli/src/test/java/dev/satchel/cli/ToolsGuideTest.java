package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs every command of docs/guides/tools-and-skills.md in its order, as it is written there. Only
 * the hosts are others: the server, an MCP server and a login on this machine. {@code ./satchel} is
 * a script that runs the classes of this build and opens the address of a login as a browser does.
 * It only notes that a root is made and a server is started with it; SandboxRootTest makes one.
 */
@Timeout(300)
class ToolsGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "tools-and-skills.md");

    private FakeModelServer models;
    private TrackerService service;
    private SatchelProcess satchel;

    @BeforeEach
    void start() throws IOException {
        models = new FakeModelServer();
        service = new TrackerService();
        satchel =
                SatchelProcess.start(
                        Map.of(
                                "SATCHEL_PRIVATE_HOSTS",
                                "127.0.0.1",
                                "OPENAI_BASE_URL",
                                "http://127.0.0.1:" + models.port() + "/v1",
                                "SATCHEL_MODEL",
                                "qwen3"));
        Path script = satchel.file("satchel", script());
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void stop() {
        satchel.close();
        service.close();
        models.close();
    }

    @Test
    void everyCommandWorks() throws Exception {
        models.callWhenOffered("mcp__github__get_issues", Map.of());
        models.callWhenOffered("mcp__notes__add", Map.of("text", "three issues are open"));

        Outcome ran = bash(String.join("\n", blocks()));

        assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
        assertThat(service.authorizations()).containsExactly("Bearer github_pat_1234");
        assertThat(ran.err()).contains("+ mcp:github:get_issues", "+ mcp:notes:add");
        assertThat(ran.out())
                .contains("\"agentId\"", "I am qwen3.") // the chat with the reader
                .contains("\nthree issues are open\n") // the note in the workspace
                .contains("tracker is connected")
                .contains(service.url("/authorize?")) // the login by the API
                .contains("\"python\"") // what a sandbox has
                .contains("\"versions\"", "\"weekly-numbers\"")
                .doesNotContain("access-code");
        assertThat(satchel.home().resolve("noted"))
                .hasContent(
                        "sandbox-root /srv/satchel-root\nserve with SATCHEL_SANDBOX_ROOT=/srv/satchel-root");
    }

    private List<String> blocks() throws IOException {
        URI url = satchel.url();
        return Stream.of(Files.readString(GUIDE).split("(?m)^```sh\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .map(
                        block ->
                                block.replace("localhost:8080", url.getHost() + ":" + url.getPort())
                                        .replace(
                                                "https://api.githubcopilot.com/mcp/",
                                                service.url("/mcp"))
                                        .replace(
                                                "https://tracker.example.org/mcp",
                                                service.url("/mcp")))
                .toList();
    }

    /** A refused request ends the script, unlike in the guide. */
    private Outcome bash(String commands) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                                "bash",
                                "-euo",
                                "pipefail",
                                "-c",
                                "curl() { command curl --fail-with-body \"$@\"; }\n" + commands)
                        .directory(satchel.home().toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SATCHEL_"));
        return SatchelProcess.finish(builder.start());
    }

    private String script() {
        return """
        #!/usr/bin/env bash
        set -uo pipefail
        browse() {
            while read -r line; do
                printf '%%s\\n' "$line"
                [[ "$line" != http* ]] || curl -sL "$line" >&2
            done
        }
        case "$1 ${2:-}" in
            "credentials login") %1$s "$@" %2$s </dev/null | browse ;;
            sandbox-root*) echo "$1 $2" >>noted ;;
            serve*) echo "serve with SATCHEL_SANDBOX_ROOT=$SATCHEL_SANDBOX_ROOT" >>noted ;;
            *) %1$s "$@" %2$s ;;
        esac
        """
                .formatted(
                        quoted(SatchelProcess.java("dev.satchel.cli.Main")),
                        quoted(List.of(satchel.withServer())));
    }

    private static String quoted(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }
}
