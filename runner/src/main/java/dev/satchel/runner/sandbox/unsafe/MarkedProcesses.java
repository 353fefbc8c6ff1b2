package dev.satchel.runner.sandbox.unsafe;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds processes by a variable of their environment. Unlike parents, groups and sessions it
 * remains with a child that becomes a daemon.
 */
final class MarkedProcesses {
    private MarkedProcesses() {}

    /** Kills until none is found, since a killed process may just have forked. */
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
        return ProcessHandle.allProcesses().filter(process -> hasMark(process, mark)).toList();
    }

    private static boolean hasMark(ProcessHandle process, byte[] mark) {
        try {
            String environment =
                    Files.readString(
                            Path.of("/proc", Long.toString(process.pid()), "environ"),
                            StandardCharsets.ISO_8859_1);
            return environment.contains(new String(mark, StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return false; // it has ended, or belongs to another user
        }
    }
}
