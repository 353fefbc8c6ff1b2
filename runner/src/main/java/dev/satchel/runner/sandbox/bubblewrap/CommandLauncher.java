package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.ReadOnlyMount;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.cgroup.Cgroup;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Starts one command of a run. A shell joins the control group, sets the limits of a process, opens
 * the descriptors that bubblewrap reads, and executes bubblewrap as the run's user.
 */
final class CommandLauncher {
    private static final String PATH = "/usr/bin:/bin";
    private static final File NO_INPUT = Path.of("/dev/null").toFile();
    private static final int FILE_SIZE_UNIT = 512;
    private static final int OPEN_FILES = 4096;

    /**
     * The first process of the namespace: the kernel does not deliver most signals to it, so it is
     * not the command. The shell's own messages are not part of the output.
     */
    private static final List<String> INIT =
            List.of("/bin/sh", "-c", "exec 3>&2 2>/dev/null; \"$@\" 2>&3 3>&-; exit $?", "sh");

    private final HostCapabilities host;
    private final RunSlot slot;
    private final SandboxLimits limits;
    private final Optional<Cgroup> group;
    private final List<String> wrapper;

    /** {@code wrapper} is a program inside the sandbox that executes the command, or empty. */
    CommandLauncher(
            HostCapabilities host,
            RunSlot slot,
            SandboxLimits limits,
            Optional<Cgroup> group,
            List<String> wrapper) {
        this.host = host;
        this.slot = slot;
        this.limits = limits;
        this.group = group;
        this.wrapper = List.copyOf(wrapper);
    }

    /** With a limit of zero bytes a command can delete files but not write any. */
    Process start(Command command, long largestFileBytes) throws IOException {
        return start(command, largestFileBytes, ProcessBuilder.Redirect.from(NO_INPUT));
    }

    /** The same with a standard input. */
    Process start(Command command, long largestFileBytes, ProcessBuilder.Redirect standardInput)
            throws IOException {
        List<String> line =
                new ArrayList<>(List.of("/bin/sh", "-c", script(command, largestFileBytes), "sh"));
        line.addAll(INIT);
        line.addAll(wrapper);
        if (group.isEmpty()) {
            line.addAll(perProcessLimits());
        }
        line.addAll(command.arguments());
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(!command.separateErrors());
        builder.environment().clear();
        builder.environment().put("PATH", PATH);
        builder.directory(Path.of("/").toFile());
        builder.redirectInput(standardInput);
        return builder.start();
    }

    private String script(Command command, long largestFileBytes) {
        StringBuilder script = new StringBuilder();
        group.ifPresent(
                joined ->
                        joined.joinFiles()
                                .forEach(
                                        file ->
                                                script.append("echo 0 >" + quoted(file))
                                                        .append(" || exit 125\n")));
        script.append("ulimit -c 0; ulimit -f " + largestFileBytes / FILE_SIZE_UNIT + "\n");
        script.append("ulimit -n " + OPEN_FILES + " 2>/dev/null\n"); // a lower limit may exist
        script.append("exec 8<" + quoted(slot.arguments()) + " 9<" + quoted(slot.filter()) + "\n");
        script.append("exec " + String.join(" ", asRunUser()));
        script.append(quoted(host.bubblewrap()));
        for (ReadOnlyMount mount : command.mounts()) { // first: the root becomes read-only later
            script.append(" --ro-bind " + quoted(mount.source().toString()));
            script.append(" " + quoted(mount.target()));
        }
        return script + " --args 8 -- \"$@\"";
    }

    private List<String> asRunUser() {
        if (!host.privileged()) {
            return List.of("");
        }
        return List.of(
                "setpriv",
                "--reuid=" + slot.user(),
                "--regid=" + slot.user(),
                "--clear-groups",
                "--no-new-privs",
                "");
    }

    /** The limits without a control group; the kernel counts processes per user namespace. */
    private List<String> perProcessLimits() {
        return List.of(
                "/usr/bin/prlimit",
                "--nproc=" + limits.processes(),
                "--as=" + limits.memoryBytes(),
                "--");
    }

    private static String quoted(Path path) {
        return quoted(path.toString());
    }

    private static String quoted(String text) {
        return text.chars()
                .mapToObj(c -> c == '\'' ? "'\\''" : Character.toString(c))
                .collect(Collectors.joining("", "'", "'"));
    }
}
