package dev.satchel.runner.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The control group of one run: one directory in each hierarchy. */
public record Cgroup(List<Path> directories) {
    private static final String PROCESSES = "cgroup.procs";
    private static final String TASKS = "tasks";
    private static final String OOM_KILLS = "oom_kill ";
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 500_000;

    public Cgroup {
        directories = List.copyOf(directories);
    }

    /**
     * The files to which a single-threaded process writes 0 in order to join. In version 1 a thread
     * that moves itself takes no global lock, for which a process would wait up to 20 ms.
     */
    public List<Path> joinFiles() {
        return directories.stream()
                .map(
                        directory ->
                                Files.exists(directory.resolve(TASKS))
                                        ? directory.resolve(TASKS)
                                        : directory.resolve(PROCESSES))
                .toList();
    }

    /** The number of processes that the kernel has killed for lack of memory. */
    public long oomKills() throws IOException {
        for (Path directory : directories) {
            for (String file : List.of("memory.oom_control", "memory.events")) {
                Path counters = directory.resolve(file);
                if (Files.exists(counters)) {
                    return counter(counters);
                }
            }
        }
        return 0;
    }

    /** The ids of the processes of the group. */
    public List<Long> processIds() throws IOException {
        return processes(directories.getFirst()).stream().map(Long::valueOf).toList();
    }

    /** Kills every process of the group and waits until all have ended. */
    public void kill() throws IOException {
        long deadline = System.nanoTime() + KILL_TIMEOUT.toNanos();
        while (hasProcesses()) {
            for (Path directory : directories) {
                kill(directory);
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("processes of " + directories.getFirst() + " do not end");
            }
            LockSupport.parkNanos(PAUSE_NANOS); // the kernel has no blocking way to wait for this
        }
    }

    /** Kills the processes of the group and removes it, if it exists. */
    public void remove() throws IOException {
        for (Path directory : directories) {
            Path limit = directory.resolve("pids.max");
            if (Files.exists(limit)) {
                Files.writeString(limit, "0"); // no process can fork any more
            }
        }
        kill();
        for (Path directory : directories) {
            Files.deleteIfExists(directory);
        }
    }

    private boolean hasProcesses() throws IOException {
        for (Path directory : directories) {
            if (!processes(directory).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static void kill(Path directory) throws IOException {
        Path switchFile = directory.resolve("cgroup.kill");
        if (Files.exists(switchFile)) {
            Files.writeString(switchFile, "1");
            return;
        }
        for (String id : processes(directory)) {
            ProcessHandle.of(Long.parseLong(id)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private static List<String> processes(Path directory) throws IOException {
        try {
            return Files.readAllLines(directory.resolve(PROCESSES));
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }

    private static long counter(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(OOM_KILLS))
                .mapToLong(line -> Long.parseLong(line.substring(OOM_KILLS.length()).strip()))
                .findFirst()
                .orElse(0);
    }
}
