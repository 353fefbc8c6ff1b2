package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.cgroup.Cgroup;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** The running processes of one run. */
final class RunProcesses {
    private final ProcessStarter starter;
    private final Optional<Cgroup> group;
    private final Set<Process> running = new HashSet<>();
    private boolean closed;

    RunProcesses(ProcessStarter starter, Optional<Cgroup> group) {
        this.starter = starter;
        this.group = group;
    }

    Process start(Callable<Process> launch) throws IOException {
        return starter.call(
                () -> {
                    synchronized (this) {
                        if (closed) {
                            throw new IOException("the sandbox is closed");
                        }
                        Process process = launch.call();
                        running.add(process);
                        return process;
                    }
                });
    }

    /** Kills one command, if it still runs, and waits until all its processes have ended. */
    synchronized void end(Process process) {
        NamespaceKiller.kill(process);
        NamespaceKiller.awaitEnd(process);
        running.remove(process);
        if (running.isEmpty()) {
            killGroup();
        }
    }

    synchronized void killAll() {
        running.forEach(NamespaceKiller::kill);
    }

    /** Kills all processes, waits until they have ended, and refuses new ones. */
    void close() {
        synchronized (this) {
            closed = true;
            killAll();
            running.forEach(NamespaceKiller::awaitEnd);
        }
        starter.close();
        killGroup();
    }

    /**
     * The ids of all processes of the run; without a control group those that its commands began.
     */
    List<Long> ids() throws IOException {
        if (group.isPresent()) {
            return group.get().processIds();
        }
        synchronized (this) {
            return running.stream()
                    .flatMap(
                            command ->
                                    Stream.concat(
                                            Stream.of(command.toHandle()), command.descendants()))
                    .map(ProcessHandle::pid)
                    .toList();
        }
    }

    long oomKills() throws IOException {
        return group.isPresent() ? group.get().oomKills() : 0;
    }

    private void killGroup() {
        try {
            if (group.isPresent()) {
                group.get().kill();
            }
        } catch (IOException e) {
            throw new IllegalStateException("processes of a sandbox cannot be killed", e);
        }
    }
}
