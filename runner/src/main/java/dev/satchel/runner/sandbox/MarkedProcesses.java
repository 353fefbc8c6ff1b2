package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds processes by a variable they were born with: unlike parents, groups and sessions it stays
 * with a child that turned itself into a daemon.
 */
final class MarkedProcesses {
    private MarkedProcesses() {}

    /** Kills until none is found, since a dying process may just have forked. */
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
        return ProcessHandle.allProcesses().filter(process -> carries(process, mark)).toList();
    }

    private static boolean carries(ProcessHandle process, byte[] mark) {
        try {
            String environment =
                    Files.readString(
                            Path.of("/proc", Long.toString(process.pid()), "environ"),
                            StandardCharsets.ISO_8859_1);
            return environment.contains(new String(mark, StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return false; // it has ended, or it is another user's
        }
    }
}
