package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Writes down what a sandbox shows its commands: everything that is not named is not there. */
final class BubblewrapArguments {
    static final String EGRESS_SOCKET = "/run/egress.sock";
    static final String EGRESS_FORWARDER = "/run/egress.pl";

    private static final String HOME = "/root";
    private static final String USER_NUMBER = "1000";
    private static final List<String> SYSTEM_FOLDERS =
            List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");

    /** Whatever the runner's umask is. */
    static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private final List<String> arguments = new ArrayList<>();

    /** Descriptor 9 must hold the system call filter. */
    static BubblewrapArguments isolated() throws IOException {
        BubblewrapArguments made = new BubblewrapArguments();
        made.add("--unshare-all", "--unshare-user", "--disable-userns");
        made.add("--uid", USER_NUMBER, "--gid", USER_NUMBER, "--hostname", "satchel");
        // else bubblewrap ends before its namespace and leaves the host's init a zombie
        made.add("--as-pid-1");
        made.add("--die-with-parent", "--new-session", "--seccomp", "9", "--clearenv");
        made.add("--ro-bind", "/usr", "/usr");
        for (String folder : SYSTEM_FOLDERS) {
            made.addSystemFolder(Path.of("/", folder));
        }
        return made.add("--proc", "/proc", "--dev", "/dev");
    }

    /** Shows the prepared folder as /etc; nothing of the host's own is. */
    BubblewrapArguments configuration(Path etc) {
        return add("--ro-bind", etc.toString(), "/etc");
    }

    /**
     * What may be written to: the workspace, home and temporary files, and bounded shared memory.
     */
    BubblewrapArguments writable(Path workspace, Path scratch, long sharedMemoryBytes) {
        add("--size", Long.toString(sharedMemoryBytes), "--tmpfs", "/dev/shm");
        add("--bind", scratch.resolve("home").toString(), HOME);
        add("--bind", scratch.resolve("tmp").toString(), "/tmp");
        add("--symlink", "/tmp", "/var/tmp");
        add("--bind", workspace.toString(), Sandbox.WORKSPACE);
        return add("--chdir", Sandbox.WORKSPACE);
    }

    BubblewrapArguments egress(Path socket, Path forwarder) {
        add("--bind", socket.toString(), EGRESS_SOCKET);
        return add("--ro-bind", forwarder.toString(), EGRESS_FORWARDER);
    }

    /** Later maps win; nothing of the runner's own environment is handed on. */
    @SafeVarargs
    final BubblewrapArguments environment(Map<String, String>... variables) {
        Map<String, String> all = new TreeMap<>();
        all.put("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
        all.put("HOME", HOME);
        all.put("USER", "agent");
        all.put("LANG", "C.UTF-8");
        all.put("TMPDIR", "/tmp");
        for (Map<String, String> more : variables) {
            all.putAll(more);
        }
        all.forEach(this::setVariable);
        return this;
    }

    /**
     * The form {@code --args} reads, kept in a file so that no variable shows in a process list.
     */
    byte[] bytes() {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
        return (String.join("\0", all) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private void setVariable(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException("not a variable's name: " + name);
        }
        add("--setenv", name, value);
    }

    private void addSystemFolder(Path folder) throws IOException {
        if (Files.isSymbolicLink(folder)) {
            add("--symlink", Files.readSymbolicLink(folder).toString(), folder.toString());
        } else if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            add("--ro-bind", folder.toString(), folder.toString());
        }
    }

    /** An argument ends at a null byte: one inside would begin an option of its own. */
    private BubblewrapArguments add(String... more) {
        for (String argument : more) {
            if (argument.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a null byte in " + more[0] + " " + more[1]);
            }
            arguments.add(argument);
        }
        return this;
    }
}
