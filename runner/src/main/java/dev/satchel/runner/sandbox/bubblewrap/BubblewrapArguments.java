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

/** The arguments of bubblewrap. A command sees only what they name. */
final class BubblewrapArguments {
    static final String EGRESS_SOCKET = "/run/egress.sock";
    static final String EGRESS_FORWARDER = "/run/egress.pl";

    private static final String HOME = "/root";
    private static final String USER_NUMBER = "1000";
    private static final List<String> SYSTEM_DIRECTORIES =
            List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");

    /** Independent of the runner's umask. */
    static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private static final Path CURRENT_HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private final List<String> arguments = new ArrayList<>();

    /**
     * Descriptor 9 must hold the system call filter.
     *
     * @param root the directory whose programs and libraries commands see: that of the host, or a
     *     prepared one
     */
    static BubblewrapArguments isolated(Path root) throws IOException {
        BubblewrapArguments arguments = new BubblewrapArguments();
        arguments.add("--unshare-all", "--unshare-user", "--disable-userns");
        arguments.add("--uid", USER_NUMBER, "--gid", USER_NUMBER).hostName();
        // otherwise bubblewrap ends before its namespace and leaves a zombie
        arguments.add("--as-pid-1");
        arguments.add("--die-with-parent", "--new-session", "--seccomp", "9", "--clearenv");
        arguments.add("--ro-bind", root.resolve("usr").toString(), "/usr");
        if (Files.isDirectory(root.resolve("usr/local/etc"))) { // settings of the machine
            arguments.add("--tmpfs", "/usr/local/etc", "--remount-ro", "/usr/local/etc");
        }
        for (String name : SYSTEM_DIRECTORIES) {
            arguments.addSystemDirectory(root.resolve(name), "/" + name);
        }
        return arguments.add("--proc", "/proc", "--dev", "/dev");
    }

    /**
     * Containers for runs have the name already, since the usual filter of podman lets nothing set
     * one.
     */
    private BubblewrapArguments hostName() throws IOException {
        boolean set = Files.readString(CURRENT_HOST_NAME).strip().equals(Sandbox.HOST_NAME);
        return set ? this : add("--hostname", Sandbox.HOST_NAME);
    }

    /** Mounts the prepared directory as /etc instead of that of the host. */
    BubblewrapArguments etc(Path etc) {
        return add("--ro-bind", etc.toString(), "/etc");
    }

    /** Mounts what is writable: workspace, home, temporary files and limited shared memory. */
    BubblewrapArguments writable(Path workspace, Path scratch, long sharedMemoryBytes) {
        add("--size", Long.toString(sharedMemoryBytes), "--tmpfs", "/dev/shm");
        add("--bind", scratch.resolve("home").toString(), HOME);
        add("--bind", scratch.resolve("tmp").toString(), "/tmp");
        add("--symlink", "/tmp", "/var/tmp");
        add("--bind", workspace.toString(), Sandbox.WORKSPACE);
        return add("--chdir", Sandbox.WORKSPACE);
    }

    /** After what is writable, since the mount point is in the home directory. */
    BubblewrapArguments skills(Path skills) {
        return add("--ro-bind", skills.toString(), Sandbox.SKILLS);
    }

    BubblewrapArguments egress(Path socket, Path forwarder) {
        add("--bind", socket.toString(), EGRESS_SOCKET);
        return add("--ro-bind", forwarder.toString(), EGRESS_FORWARDER);
    }

    /** Later maps have precedence. Nothing of the runner's environment is passed on. */
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

    /** The format of {@code --args}: from a file, so that no process list shows variables. */
    byte[] bytes() {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/"));
        return (String.join("\0", all) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private void setVariable(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            throw new IllegalArgumentException("not a variable name: " + name);
        }
        add("--setenv", name, value);
    }

    private void addSystemDirectory(Path directory, String shown) throws IOException {
        if (Files.isSymbolicLink(directory)) {
            add("--symlink", Files.readSymbolicLink(directory).toString(), shown);
        } else if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            add("--ro-bind", directory.toString(), shown);
        }
    }

    /** A null byte ends an argument, so one inside an argument would start another option. */
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
