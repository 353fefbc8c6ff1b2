package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of docs/guides/your-own-model.md as they are written there. Only the address of
 * the model is another, and {@code ./satchel} is a script that runs the classes of this build: its
 * {@code serve} returns when the server listens.
 */
@Timeout(180)
class OwnModelGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "your-own-model.md");
    private static final String ADDRESS = "127.0.0.1:11434";

    @TempDir private Path folder;
    private FakeModelServer models;

    @BeforeEach
    void start() throws IOException {
        models = new FakeModelServer();
        Path script = folder.resolve("satchel");
        Files.writeString(script, script());
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void stop() throws IOException {
        Path ids = folder.resolve("server.pid");
        if (Files.exists(ids)) {
            for (String id : Files.readAllLines(ids)) {
                ProcessHandle.of(Long.parseLong(id))
                        .ifPresent(
                                server -> {
                                    server.destroy();
                                    server.onExit().join();
                                });
            }
        }
        models.close();
    }

    @Test
    void aLocalServerWithoutAKey() throws Exception {
        Files.writeString(folder.resolve("clerk.json"), block("json", "\"clerk\""));

        Outcome ran =
                bash(
                        Map.of(),
                        block("sh", "OPENAI_BASE_URL"),
                        "./satchel send Hello",
                        block("sh", "agents create"));

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("model qwen3", "I am qwen3.");
        assertThat(models.calls())
                .hasSize(2) // of the message and of the agent
                .containsOnly(new FakeModelServer.Call("/v1/chat/completions", "qwen3", null));
    }

    @Test
    void twoProvidersAtOnce() throws Exception {
        String address = "http://127.0.0.1:" + models.port();

        Outcome ran =
                bash(
                        Map.of("ANTHROPIC_BASE_URL", address, "OPENAI_BASE_URL", address + "/v1"),
                        block("sh", "OPENAI_API_KEY=sk-... ./satchel serve\n./satchel models"),
                        "./satchel send Hello");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("claude-opus-4-6", "I am gpt-5-mini.");
        assertThat(models.calls().getFirst())
                .isEqualTo(
                        new FakeModelServer.Call(
                                "/v1/chat/completions", "gpt-5-mini", "Bearer sk-..."));
        assertThat(models.calls().getLast().path()).isEqualTo("/v1/messages");
        assertThat(models.calls().getLast().key()).isEqualTo("sk-ant-...");
    }

    @Test
    void aFallback() throws Exception {
        Files.writeString(folder.resolve("models.json"), block("json", "\"fallback\""));
        models.overloadAnthropic();

        Outcome ran =
                bash(
                        Map.of("ANTHROPIC_BASE_URL", "http://127.0.0.1:" + models.port()),
                        block("sh", "SATCHEL_MODELS_FILE"),
                        "./satchel send Hello");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("I am qwen3.");
        assertThat(models.calls().getFirst().model()).isEqualTo("claude-opus-4-6");
        assertThat(models.calls().getLast())
                .isEqualTo(new FakeModelServer.Call("/v1/chat/completions", "qwen3", null));
    }

    private Outcome bash(Map<String, String> environment, String... blocks) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-euc", String.join("\n", blocks))
                        .directory(folder.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("SATCHEL_") || name.endsWith("_API_KEY"));
        builder.environment().putAll(environment);
        return SatchelProcess.finish(builder.start());
    }

    /** The guide's code of a kind that contains a text, with the address of the fake model. */
    private String block(String kind, String part) throws IOException {
        return Stream.of(Files.readString(GUIDE).split("```" + kind + "\n"))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .filter(code -> code.contains(part))
                .findFirst()
                .orElseThrow()
                .replace(ADDRESS, "127.0.0.1:" + models.port());
    }

    private static String script() {
        return """
        #!/usr/bin/env bash
        case "$1" in
            serve)
                mkfifo printed
                %s serve --port 0 --data data >printed 2>log &
                echo $! >server.pid
                exec 3<printed
                read -r line <&3
                cat <&3 >/dev/null 2>&1 &
                echo "${line##*:}" >port
                ;;
            doctor)
                %s doctor --data data || true # no server runs yet
                ;;
            *)
                %s "$@" --data data --port "$(tr -d / <port)"
                ;;
        esac
        """
                .formatted(server(), server(), command("dev.satchel.cli.Main"));
    }

    private static String server() {
        return command("dev.satchel.server.command.Main");
    }

    private static String command(String main) {
        return SatchelProcess.java(main).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }
}
