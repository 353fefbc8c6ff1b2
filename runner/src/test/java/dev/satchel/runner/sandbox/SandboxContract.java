package dev.satchel.runner.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.bubblewrap.Pipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands may rely on, isolated or not. */
@Timeout(60)
abstract class SandboxContract {
    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir Path workspace;
    private Sandbox sandbox;

    abstract SandboxFactory sandboxes() throws IOException;

    /** How a command sees the path of its workspace. */
    abstract String seenWorkspace(Path workspace) throws IOException;

    @BeforeEach
    void open() throws IOException {
        sandbox =
                sandboxes()
                        .open(
                                new SandboxSpec(
                                        "run",
                                        workspace,
                                        SandboxLimits.DEFAULT,
                                        List.of(),
                                        Map.of("GREETING", "good day")));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void givesTheExitCode() throws Exception {
        CommandResult result = sh("exit 7");

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.ending()).isEqualTo(Ending.EXITED);
        assertThat(result.duration()).isPositive();
    }

    @Test
    void interleavesOutputAndErrors() throws Exception {
        assertThat(sh("echo one; echo two >&2; echo three").output())
                .isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void oneCommandReadsWhatIsMountedForIt(@TempDir Path program) throws Exception {
        Files.writeString(program.resolve("it's a file"), "content");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Command command = new Command(List.of("cat", "/given/it's a file"), LONG, 1000, false);

        assertThat(sandbox.run(command.reading(List.of(new ReadOnlyMount(program, "/given")))))
                .extracting(CommandResult::output)
                .isEqualTo("content");
        assertThat(sandbox.run(command).exitCode()).isNotZero();
    }

    @Test
    void keepsBeginningAndEndOfALongOutput() throws Exception {
        CommandResult result =
                sandbox.run(Command.shell("echo first; seq 100000; echo last", LONG, 1000));

        assertThat(result.truncated()).isTrue();
        assertThat(result.output())
                .startsWith("first\n1\n2\n")
                .endsWith("100000\nlast\n")
                .contains("bytes left out")
                .hasSizeLessThan(1100);
    }

    @Test
    void leavesAShortOutputWhole() throws Exception {
        assertThat(sh("echo ünïcödé").truncated()).isFalse();
        assertThat(sh("echo ünïcödé").output()).isEqualTo("ünïcödé\n");
    }

    @Test
    void killsACommandWhoseTimeIsOver() throws Exception {
        Pipe pipe = Pipe.in(workspace);

        CommandResult result =
                sandbox.run(
                        Command.shell(
                                Pipe.HOLD + "echo begun; sleep 1000", Duration.ofSeconds(3), 1000));

        assertThat(result.ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(result.output()).isEqualTo("begun\n");
        pipe.awaitEnd();
    }

    @Test
    void killsACommandThatIgnoresTermination() throws Exception {
        CommandResult result =
                sandbox.run(
                        Command.shell(
                                "trap '' TERM INT HUP; while :; do sleep 1; done",
                                Duration.ofMillis(500),
                                1000));

        assertThat(result.ending()).isEqualTo(Ending.TIMED_OUT);
    }

    @Test
    void killsTheCommandWhenItsCallerIsInterrupted() throws Exception {
        Pipe pipe = Pipe.in(workspace);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        sh(Pipe.HOLD + "sleep 1000");
                                    } catch (IOException | InterruptedException e) {
                                        thrown.set(e);
                                    }
                                });
        pipe.awaitStart();

        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        pipe.awaitEnd();
        assertThat(sh("echo next").output()).isEqualTo("next\n");
    }

    @Test
    void endsWhatACommandLeftRunning() throws Exception {
        Pipe pipe = Pipe.in(workspace);

        CommandResult result =
                sh("mkfifo up; (" + Pipe.HOLD + "echo started >up; sleep 1000) & cat up");

        assertThat(result.output()).isEqualTo("started\n");
        pipe.awaitEnd();
    }

    @Test
    void endsADaemonThatACommandLeftRunning() throws Exception {
        Pipe pipe = Pipe.in(workspace);

        CommandResult result =
                sh(
                        "mkfifo up; setsid -f sh -c '"
                                + Pipe.HOLD
                                + "echo started >up; exec sleep 1000 >/dev/null 2>&1' & cat up");

        assertThat(result.exitCode()).isZero();
        pipe.awaitEnd();
    }

    @Test
    void closingKillsEverything() throws Exception {
        Pipe pipe = Pipe.in(workspace);
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        sh("setsid sh -c '" + Pipe.HOLD + "sleep 1000' & wait");
                                    } catch (IOException | InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        pipe.awaitStart();

        sandbox.close();

        pipe.awaitEnd();
        caller.join();
        assertThatThrownBy(() -> sh("echo more")).isInstanceOf(IOException.class);
    }

    @Test
    void givesTheSpecsEnvironmentAndNotTheRunners() throws Exception {
        String variables = sh("env").output();

        assertThat(variables).contains("GREETING=good day\n").contains("HOME=", "PATH=");
        assertThat(variables).doesNotContain("JAVA_HOME", "MAVEN");
    }

    @Test
    void runsInTheWorkspace() throws Exception {
        Files.writeString(workspace.resolve("from-host.txt"), "hello");

        CommandResult result = sh("pwd -P; cat from-host.txt; echo answer >from-inside.txt");

        assertThat(result.output()).isEqualTo(seenWorkspace(workspace) + "\nhello");
        assertThat(workspace.resolve("from-inside.txt")).hasContent("answer\n");
    }

    @Test
    void changesWhatTheRunnerWrote() throws Exception {
        sh("mkdir made-inside");
        Path folder = Files.createDirectory(workspace.resolve("made-outside"));
        Files.writeString(folder.resolve("file"), "old");
        Files.writeString(workspace.resolve("made-inside/file"), "old");

        CommandResult result =
                sh("echo new >made-outside/file; echo new >made-inside/file; rm -r made-outside");

        assertThat(result.output()).isEmpty();
        assertThat(folder).doesNotExist();
        assertThat(workspace.resolve("made-inside/file")).hasContent("new\n");
    }

    @Test
    void runsTwoCommandsAtOnce() throws Exception {
        sh("mkfifo meeting");
        Thread other =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        sh("echo hello >meeting");
                                    } catch (IOException | InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });

        assertThat(sh("cat meeting").output()).isEqualTo("hello\n");
        other.join();
    }

    @Test
    void givesNoInput() throws Exception {
        assertThat(sh("cat; echo done").output()).isEqualTo("done\n");
    }

    CommandResult sh(String script) throws IOException, InterruptedException {
        return sandbox.run(Command.shell(script, LONG, 100_000));
    }
}
