package dev.satchel.runner.sandbox;

import static dev.satchel.runner.sandbox.OpenSandboxes.sh;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandbox;
import dev.satchel.runner.sandbox.bubblewrap.VirtualMachine;
import dev.satchel.runner.sandbox.cgroup.CgroupDetector;
import dev.satchel.runner.sandbox.cgroup.CgroupV2Test;
import dev.satchel.runner.sandbox.cgroup.HostLeftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The first program of a {@link VirtualMachine}: uses sandboxes there and prints the results, one
 * per line. {@link CgroupV2Test} checks them.
 */
public final class CgroupV2Guest {
    public static final String FACT = "fact ";

    private CgroupV2Guest() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory("workspace");
        BubblewrapSandbox used = OpenSandboxes.open(workspace);
        try (used) {
            Path group = used.slot().recordedGroup().directories().getFirst();
            report("hierarchies", CgroupDetector.find(Path.of("/proc")));
            report("group", group.resolveSibling(""));
            report("warning", OpenSandboxes.BUBBLEWRAP.warning().orElse("none"));
            for (String file : List.of("memory.max", "pids.max", "cpu.max", "memory.oom.group")) {
                report(file, Files.readString(group.resolve(file)).strip());
            }
            useUpMemory(used);
            report("oom kills", used.slot().recordedGroup().oomKills());
            report("after memory", sh(used, "echo works").output().strip());
            useUpProcesses(used);
            report("refused forks", Files.readString(group.resolve("pids.events")).strip());
            report("after processes", sh(used, "echo works").output().strip());
        }
        report("leftovers", HostLeftovers.of(used.slot()));
        useUpProcessor(workspace);
        report("end", "reached");
    }

    private static void useUpMemory(Sandbox sandbox) throws IOException, InterruptedException {
        CommandResult result =
                sh(sandbox, "perl -e '$x = \"a\" x (2 * 1024 ** 3); print length $x'");
        report("memory", result.ending());
    }

    private static void useUpProcesses(Sandbox sandbox) throws IOException, InterruptedException {
        String counted =
                sh(
                                sandbox,
                                "perl -e 'while (defined(my $p = fork)) { $p or sleep 1000; $n++ }"
                                        + " print $n'")
                        .output();
        report("processes", counted);
        Ending bomb =
                sandbox.run(Command.shell("perl -e 'fork while 1'", Duration.ofSeconds(2), 10_000))
                        .ending();
        report("fork bomb", bomb);
    }

    /** Measured in time on the processor, so a slow machine changes nothing. */
    private static void useUpProcessor(Path workspace) throws IOException, InterruptedException {
        SandboxLimits slow = new SandboxLimits(128L << 20, 64, 20, 32L << 20);
        SandboxSpec spec = new SandboxSpec("slow", workspace, slow, List.of(), Map.of());
        try (BubblewrapSandbox sandbox = (BubblewrapSandbox) OpenSandboxes.BUBBLEWRAP.open(spec)) {
            sh(sandbox, "perl -e '$i++ while (times)[0] < 0.3'");
            Path group = sandbox.slot().recordedGroup().directories().getFirst();
            Files.readAllLines(group.resolve("cpu.stat")).stream()
                    .filter(line -> line.startsWith("nr_throttled "))
                    .forEach(line -> report("throttled", line.substring(line.indexOf(' ') + 1)));
        }
    }

    private static void report(String name, Object value) {
        System.out.println(FACT + name + "=" + value.toString().replace('\n', ','));
    }
}
