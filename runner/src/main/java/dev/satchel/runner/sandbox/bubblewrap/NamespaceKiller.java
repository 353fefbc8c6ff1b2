package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.CommandMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Kills the processes in a bubblewrap by killing the first process of its namespace: the kernel
 * kills all others, and bubblewrap reaps them. If bubblewrap itself were killed, the host's init
 * would have to reap them, which in a container may not happen.
 */
final class NamespaceKiller {
    private static final long TIMEOUT_SECONDS = 5;

    private NamespaceKiller() {}

    static void kill(Process bubblewrap) {
        List<ProcessHandle> inside = children(bubblewrap.pid());
        if (inside.isEmpty()) {
            CommandMonitor.kill(bubblewrap); // it has not started its namespace yet, or has ended
        }
        inside.forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills bubblewrap itself when it does not end in time. */
    static void awaitEnd(Process bubblewrap) {
        bubblewrap
                .onExit()
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
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
