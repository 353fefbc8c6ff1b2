package dev.satchel.runner.sandbox.bubblewrap;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.satchel.filesystem.linux.CFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;

/** System calls that the JDK does not offer. A failure is an IOException that names the call. */
public final class NamespaceCalls {
    static final long NO_SUID = 2;
    static final long NO_DEVICES = 4;

    private static final int CLONE_NEWNS = 0x00020000;
    private static final long RECURSIVE_SLAVE = (1 << 14) | (1 << 19);
    private static final int O_CLOEXEC = 0x80000;
    private static final int AT_FDCWD = -100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final long OPEN_TREE_CLONE = 1;
    private static final long MOVE_MOUNT_F_EMPTY_PATH = 4;
    private static final long MOUNT_ATTR_IDMAP = 0x00100000;
    private static final StructLayout MOUNT_ATTR =
            MemoryLayout.structLayout(
                    JAVA_LONG.withName("attr_set"),
                    JAVA_LONG.withName("attr_clr"),
                    JAVA_LONG.withName("propagation"),
                    JAVA_LONG.withName("userns_fd"));

    // the numbers are the same on every architecture
    private static final long OPEN_TREE = 428;
    private static final long MOVE_MOUNT = 429;
    private static final long MOUNT_SETATTR = 442;

    private static final CFunction UNSHARE = CFunction.named("unshare");
    private static final CFunction MOUNT = CFunction.named("mount");
    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction CLOSE = CFunction.named("close");
    private static final CFunction GETEUID = CFunction.named("geteuid");
    private static final CFunction SYSCALL = CFunction.named("syscall");

    private NamespaceCalls() {}

    public static int effectiveUser() {
        return GETEUID.value();
    }

    /**
     * Moves the calling thread and its children into a new mount namespace, which ends with them.
     * Later mounts of the host still appear in it.
     */
    static void unshareMounts() throws IOException {
        check("unshare", UNSHARE.call(CLONE_NEWNS));
        mount("none", Path.of("/"), "none", RECURSIVE_SLAVE, "");
    }

    static void mount(String source, Path target, String type, long flags, String data)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int done =
                    MOUNT.call(
                            text(arena, source),
                            text(arena, target.toString()),
                            text(arena, type),
                            flags,
                            text(arena, data));
            check("mount on " + target, done);
        }
    }

    /** Mounts a directory a second time, with the owners of files mapped by a user namespace. */
    static void mountMapped(Path source, Path target, int userNamespace) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long from = text(arena, source.toString());
            long to = text(arena, target.toString());
            long empty = text(arena, "");
            MemorySegment attributes = arena.allocate(MOUNT_ATTR);
            attributes.set(JAVA_LONG, 0, MOUNT_ATTR_IDMAP | NO_SUID | NO_DEVICES);
            attributes.set(
                    JAVA_LONG,
                    MOUNT_ATTR.byteOffset(MemoryLayout.PathElement.groupElement("userns_fd")),
                    userNamespace);
            int tree =
                    check(
                            "open_tree " + source,
                            SYSCALL.call(OPEN_TREE, AT_FDCWD, from, OPEN_TREE_CLONE | O_CLOEXEC));
            try {
                check(
                        "mount_setattr",
                        SYSCALL.call(
                                MOUNT_SETATTR,
                                tree,
                                empty,
                                AT_EMPTY_PATH,
                                attributes.address(),
                                attributes.byteSize()));
                check(
                        "move_mount to " + target,
                        SYSCALL.call(
                                MOVE_MOUNT, tree, empty, AT_FDCWD, to, MOVE_MOUNT_F_EMPTY_PATH));
            } finally {
                close(tree);
            }
        }
    }

    /** Opens a descriptor that child processes do not inherit; {@link #close} closes it. */
    static int open(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return check("open " + path, OPEN.call(text(arena, path.toString()), O_CLOEXEC));
        }
    }

    static void close(int descriptor) throws IOException {
        check("close", CLOSE.call(descriptor));
    }

    private static long text(Arena arena, String text) {
        return arena.allocateFrom(text).address();
    }

    private static int check(String name, int result) throws IOException {
        if (result < 0) {
            throw new IOException(name + " failed with error " + -result);
        }
        return result;
    }
}
