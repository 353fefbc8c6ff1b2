package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.CommandMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Kills what runs in a bubblewrap from the inside: its namespace's first process goes, the kernel
 * takes all others with it, and bubblewrap, still there, collects the remains. Killed itself, it
 * would leave them to the host's init, which in a container may never look.
 */
final class NamespaceKiller {
    private static final long LONGEST_DEATH_SECONDS = 5;

    private NamespaceKiller() {}

    static void kill(Process bubblewrap) {
        List<ProcessHandle> inside = children(bubblewrap.pid());
        if (inside.isEmpty()) {
            CommandMonitor.kill(bubblewrap); // not yet bubblewrap, or at its end
        }
        inside.forEach(ProcessHandle::destroyForcibly);
    }

    /** Ends it the hard way if it does not end by itself. */
    static void awaitEnd(Process bubblewrap) {
        bubblewrap
                .onExit()
                .orTimeout(LONGEST_DEATH_SECONDS, TimeUnit.SECONDS)
                .exceptionally(_ -> bubblewrap.destroyForcibly())
                .join();
    }

    private static List<ProcessHandle> children(long process) {
        String id = Long.toString(process);
        try {
            return Files.readString(Path.of("/proc", id, "task", id, "children"))
                    .strip()
                    .lines()
                    .flatMap(line -> List.of(line.split(" ", -1)).stream())
                    .flatMap(child -> ProcessHandle.of(Long.parseLong(child)).stream())
                    .toList();
        } catch (IOException _) {
            return List.of(); // it has ended
        }
    }
}
