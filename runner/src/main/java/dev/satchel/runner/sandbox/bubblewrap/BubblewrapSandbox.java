package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.CleanupStack;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandMonitor;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxProcess;
import dev.satchel.runner.sandbox.disk.DiskQuota;
import dev.satchel.runner.sandbox.disk.DiskQuotaMonitor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The sandbox of one run. Every command has its own bubblewrap; all share user and limits. */
public final class BubblewrapSandbox implements Sandbox {
    private static final long NO_WRITES = 0;

    /** Commands have their own checks; a program beside them is mostly idle. */
    private static final Duration IDLE_PERIOD = Duration.ofMillis(500);

    private final RunSlot slot;
    private final CommandLauncher launcher;
    private final SandboxPaths paths;
    private final DiskQuota disk;
    private final RunProcesses processes;
    private final CleanupStack cleanup;

    BubblewrapSandbox(
            RunSlot slot,
            CommandLauncher launcher,
            SandboxPaths paths,
            DiskQuota disk,
            RunProcesses processes,
            CleanupStack cleanup) {
        this.slot = slot;
        this.launcher = launcher;
        this.paths = paths;
        this.disk = disk;
        this.processes = processes;
        this.cleanup = cleanup;
    }

    @Override
    public CommandResult run(Command command) throws IOException, InterruptedException {
        paths.giveToRun(slot);
        if (disk.isStillExceeded()) {
            return run(command, NO_WRITES); // it can only delete files
        }
        DiskQuotaMonitor monitor = new DiskQuotaMonitor(disk, processes::killAll);
        CommandResult result;
        try {
            result = run(command, disk.limit());
        } finally {
            monitor.stop();
        }
        return monitor.isExceeded() ? result.withEnding(Ending.OUT_OF_DISK) : result;
    }

    /** It is killed too when the workspace grows past its limit. */
    @Override
    public SandboxProcess start(List<String> arguments) throws IOException {
        paths.giveToRun(slot);
        if (disk.isStillExceeded()) {
            throw new IOException("the workspace is larger than its limit");
        }
        Command command = SandboxProcess.command(arguments);
        Process process =
                processes.start(
                        () -> launcher.start(command, disk.limit(), ProcessBuilder.Redirect.PIPE));
        DiskQuotaMonitor monitor = new DiskQuotaMonitor(disk, processes::killAll, IDLE_PERIOD);
        return new SandboxProcess(
                process,
                () -> {
                    monitor.stop();
                    processes.end(process);
                });
    }

    @Override
    public void close() {
        processes.close();
        cleanup.close();
    }

    public RunSlot slot() {
        return slot;
    }

    private CommandResult run(Command command, long largestFileBytes)
            throws IOException, InterruptedException {
        long killedBefore = processes.oomKills();
        Process process = processes.start(() -> launcher.start(command, largestFileBytes));
        CommandResult result =
                new CommandMonitor(process, command, () -> processes.end(process)).await();
        boolean outOfMemory = result.exitCode() != 0 && processes.oomKills() > killedBefore;
        return outOfMemory ? result.withEnding(Ending.OUT_OF_MEMORY) : result;
    }
}
