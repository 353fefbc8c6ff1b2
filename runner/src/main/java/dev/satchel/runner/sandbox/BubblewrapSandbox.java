package dev.satchel.runner.sandbox;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import java.io.IOException;

/**
 * One run's sandbox: each command is a bubblewrap of its own; user, limits and files are shared.
 */
final class BubblewrapSandbox implements Sandbox {
    private static final long NOTHING = 0;

    private final RunSlot slot;
    private final Launcher launcher;
    private final RunFiles files;
    private final DiskMeter disk;
    private final RunProcesses processes;
    private final Cleanup cleanup;

    BubblewrapSandbox(
            RunSlot slot,
            Launcher launcher,
            RunFiles files,
            DiskMeter disk,
            RunProcesses processes,
            Cleanup cleanup) {
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
        DiskWatch watch = new DiskWatch(disk, processes::killAll);
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

    RunSlot slot() {
        return slot;
    }

    private CommandResult run(Command command, long largestFileBytes)
            throws IOException, InterruptedException {
        long killedBefore = processes.oomKills();
        Process process = processes.start(() -> launcher.start(command, largestFileBytes));
        CommandResult result =
                new CommandWatch(process, command, () -> processes.end(process)).await();
        boolean outOfMemory = result.exitCode() != 0 && processes.oomKills() > killedBefore;
        return outOfMemory ? result.endedBy(Ending.OUT_OF_MEMORY) : result;
    }
}
