package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runner with real sandboxes between a scripted Satchel and a client that reads lines. */
@Timeout(120)
abstract class RunnerFixture {
    static final SandboxFactory SANDBOXES = SandboxSetup.detect(System.getenv());

    @TempDir Path data;
    ScriptedSatchel satchel;
    RunnerServer runner;
    RunnerClient client;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        satchel = new ScriptedSatchel();
        start(configuration());
    }

    @AfterEach
    void close() {
        client.close();
        runner.close();
        satchel.close();
    }

    RunnerConfiguration configuration() {
        return configuration(Map.of());
    }

    final RunnerConfiguration configuration(Map<String, String> settings) {
        return RunnerConfiguration.from(
                settings, List.of("--port", "0", "--data", data.toString()));
    }

    AgentLoop agent() {
        return new ShellAgent();
    }

    SandboxFactory sandboxes() {
        return SANDBOXES;
    }

    void restart(RunnerConfiguration configuration) throws IOException, InterruptedException {
        client.close();
        runner.close();
        start(configuration);
    }

    private void start(RunnerConfiguration configuration) throws IOException, InterruptedException {
        runner = new RunnerServer(configuration, sandboxes(), agent());
        runner.start();
        client = new RunnerClient(runner.port(), HttpClient.Version.HTTP_1_1);
    }

    List<SandboxLine> run(String prompt) throws IOException, InterruptedException {
        return client.run(satchel.dispatch("run", prompt));
    }

    /** The message of a run that ended well. */
    String result(String prompt) throws IOException, InterruptedException {
        List<SandboxLine> lines = run(prompt);
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Result.class);
        return ((SandboxLine.Result) lines.getLast()).message();
    }

    /** The last line of a run that did not. */
    SandboxLine.Failure failure(String prompt) throws IOException, InterruptedException {
        List<SandboxLine> lines = run(prompt);
        assertThat(lines.getLast()).isInstanceOf(SandboxLine.Failure.class);
        assertThat(lines).filteredOn(SandboxLine::terminal).hasSize(1);
        return (SandboxLine.Failure) lines.getLast();
    }

    static List<String> logs(List<SandboxLine> lines) {
        return logged(lines).map(SandboxLine.Log::message).toList();
    }

    static List<String> warnings(List<SandboxLine> lines) {
        return logged(lines)
                .filter(log -> log.level() == LogLevel.WARN)
                .map(SandboxLine.Log::message)
                .toList();
    }

    private static Stream<SandboxLine.Log> logged(List<SandboxLine> lines) {
        return lines.stream()
                .filter(SandboxLine.Log.class::isInstance)
                .map(SandboxLine.Log.class::cast);
    }

    List<Path> headlessFolders() throws IOException {
        try (Stream<Path> folders = Files.list(data.resolve("headless"))) {
            return folders.toList();
        }
    }
}
