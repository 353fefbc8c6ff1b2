package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.CleanupStack;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandMonitor;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.disk.DiskQuota;
import dev.satchel.runner.sandbox.disk.DiskQuotaMonitor;
import java.io.IOException;

/**
 * One run's sandbox: each command is a bubblewrap of its own; user, limits and files are shared.
 */
public final class BubblewrapSandbox implements Sandbox {
    private static final long NOTHING = 0;

    private final RunSlot slot;
    private final CommandLauncher launcher;
    private final SandboxPaths files;
    private final DiskQuota disk;
    private final RunProcesses processes;
    private final CleanupStack cleanup;

    BubblewrapSandbox(
            RunSlot slot,
            CommandLauncher launcher,
            SandboxPaths files,
            DiskQuota disk,
            RunProcesses processes,
            CleanupStack cleanup) {
        this.slot = slot;
        this.launcher = launcher;
        this.files = files;
        this.disk = disk;
        this.processes = processes;
        this.cleanup = cleanup;
    }

    @Override
    public CommandResult run(Command command) throws IOException, InterruptedException {
        files.beforeCommand(slot);
        if (disk.stillOver()) {
            return run(command, NOTHING); // it may delete, and so make room
        }
        DiskQuotaMonitor watch = new DiskQuotaMonitor(disk, processes::killAll);
        CommandResult result;
        try {
            result = run(command, disk.limit());
        } finally {
            watch.stop();
        }
        return watch.full() ? result.endedBy(Ending.OUT_OF_DISK) : result;
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
        return outOfMemory ? result.endedBy(Ending.OUT_OF_MEMORY) : result;
    }
}
