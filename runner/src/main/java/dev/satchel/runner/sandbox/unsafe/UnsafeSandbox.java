package dev.satchel.runner.sandbox.unsafe;

import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandMonitor;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxProcess;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs each command in its own session and finds its processes by a variable. */
final class UnsafeSandbox implements Sandbox {
    private static final String RUN_MARK = "SATCHEL_UNSAFE_RUN";
    private static final String COMMAND_MARK = "SATCHEL_UNSAFE_COMMAND";

    private static final File NO_INPUT = Path.of("/dev/null").toFile();

    private final SandboxSpec spec;
    private final Path workspace;
    private final String mark = UUID.randomUUID().toString();
    private final AtomicBoolean closed = new AtomicBoolean();

    UnsafeSandbox(SandboxSpec spec) throws IOException {
        this.spec = spec;
        workspace = spec.workspace().toRealPath();
    }

    @Override
    public CommandResult run(Command command) throws IOException, InterruptedException {
        String commandMark = UUID.randomUUID().toString();
        Process process = start(command, commandMark, ProcessBuilder.Redirect.from(NO_INPUT));
        return new CommandMonitor(process, command, () -> kill(process, commandMark)).await();
    }

    @Override
    public SandboxProcess start(List<String> arguments) throws IOException {
        String commandMark = UUID.randomUUID().toString();
        Process process =
                start(SandboxProcess.command(arguments), commandMark, ProcessBuilder.Redirect.PIPE);
        return new SandboxProcess(process, () -> kill(process, commandMark));
    }

    @Override
    public void close() {
        closed.set(true);
        MarkedProcesses.killAll(RUN_MARK, mark);
    }

    private Process start(
            Command command, String commandMark, ProcessBuilder.Redirect standardInput)
            throws IOException {
        if (closed.get()) {
            throw new IOException("the sandbox is closed");
        }
        List<String> line = new ArrayList<>(List.of("setsid"));
        line.addAll(command.argumentsOnHost());
        ProcessBuilder builder =
                new ProcessBuilder(line)
                        .directory(workspace.toFile())
                        .redirectErrorStream(!command.separateErrors());
        builder.redirectInput(standardInput);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
        environment.put("HOME", workspace.toString());
        environment.put("LANG", "C.UTF-8");
        environment.putAll(spec.environment());
        Path skills = spec.skills();
        if (skills != null) {
            environment.put(SKILLS_VARIABLE, skills.toString());
        }
        environment.put(RUN_MARK, mark);
        environment.put(COMMAND_MARK, commandMark);
        Process process = builder.start();
        if (closed.get()) {
            CommandMonitor.kill(process); // close() may have missed this process
        }
        return process;
    }

    private static void kill(Process process, String commandMark) {
        CommandMonitor.kill(process);
        MarkedProcesses.killAll(COMMAND_MARK, commandMark);
    }

    /**
     * Finds processes by a variable of their environment. Unlike parents, groups and sessions it
     * remains with a child that becomes a daemon.
     */
    static final class MarkedProcesses {
        private MarkedProcesses() {}

        /** Kills until none is found, since a killed process may just have forked. */
        static void killAll(String name, String value) {
            List<ProcessHandle> found = find(name, value);
            while (!found.isEmpty()) {
                found.forEach(ProcessHandle::destroyForcibly);
                Thread.onSpinWait();
                found = find(name, value);
            }
        }

        static List<ProcessHandle> find(String name, String value) {
            byte[] mark = (name + "=" + value + "\0").getBytes(StandardCharsets.UTF_8);
            return ProcessHandle.allProcesses().filter(process -> hasMark(process, mark)).toList();
        }

        private static boolean hasMark(ProcessHandle process, byte[] mark) {
            try {
                String environment =
                        Files.readString(
                                Path.of("/proc", Long.toString(process.pid()), "environ"),
                                StandardCharsets.ISO_8859_1);
                return environment.contains(new String(mark, StandardCharsets.ISO_8859_1));
            } catch (IOException _) {
                return false; // it has ended, or belongs to another user
            }
        }
    }
}
