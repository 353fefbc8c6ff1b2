package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * User namespaces that map the runner's user to another, for mapped mounts. Each is created once by
 * a short-lived process; there are at most as many as concurrent runs.
 */
final class UserNamespaces {
    private final int runnerUser;
    private final Map<Integer, Integer> descriptors = new HashMap<>();

    UserNamespaces(int runnerUser) {
        this.runnerUser = runnerUser;
    }

    /** A descriptor that stays open until this process ends. */
    synchronized int descriptor(int user) throws IOException {
        Integer known = descriptors.get(user);
        if (known != null) {
            return known;
        }
        int created = create(user);
        descriptors.put(user, created);
        return created;
    }

    private int create(int user) throws IOException {
        Process holder =
                new ProcessBuilder("unshare", "--user", "sh", "-c", "echo ready; read _").start();
        try {
            if (holder.getInputStream().read() < 0) {
                throw new IOException("no user namespace can be created");
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
