package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps, per user id, a namespace that maps the runner's user to it, for use with mapped mounts.
 * They cost a process to make and nothing to keep, and there are as many as runs at the same time.
 */
final class UserNamespaces {
    private final int runnerUser;
    private final Map<Integer, Integer> descriptors = new HashMap<>();

    UserNamespaces(int runnerUser) {
        this.runnerUser = runnerUser;
    }

    /** A descriptor that stays open as long as this process lives. */
    synchronized int descriptor(int user) throws IOException {
        Integer known = descriptors.get(user);
        if (known != null) {
            return known;
        }
        int made = make(user);
        descriptors.put(user, made);
        return made;
    }

    private int make(int user) throws IOException {
        Process holder =
                new ProcessBuilder("unshare", "--user", "sh", "-c", "echo ready; read _").start();
        try {
            if (holder.getInputStream().read() < 0) {
                throw new IOException("no user namespace can be made");
            }
            Path process = Path.of("/proc", Long.toString(holder.pid()));
            String map = runnerUser + " " + user + " 1";
            Files.writeString(process.resolve("uid_map"), map);
            Files.writeString(process.resolve("gid_map"), map);
            return NamespaceCalls.open(process.resolve("ns/user"));
        } finally {
            holder.destroyForcibly();
        }
    }
}
