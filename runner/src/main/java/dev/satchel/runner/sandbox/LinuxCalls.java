package dev.satchel.runner.sandbox;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** The few system calls the JDK does not offer; a refusal is an IOException naming the call. */
final class LinuxCalls {
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

    // the same numbers on every architecture
    private static final long OPEN_TREE = 428;
    private static final long MOVE_MOUNT = 429;
    private static final long MOUNT_SETATTR = 442;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final MethodHandle UNSHARE =
            function("unshare", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle MOUNT =
            function(
                    "mount",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle OPEN =
            function(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle GETEUID =
            function("geteuid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle SYSCALL =
            function(
                    "syscall",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS,
                            JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));

    private LinuxCalls() {}

    static int effectiveUser() throws IOException {
        return (int) call("geteuid", state -> (int) GETEUID.invokeExact(state));
    }

    /**
     * Gives the calling thread, and every process it starts, mounts of its own: what it mounts
     * nobody else sees, and it vanishes with the thread. What the host mounts still arrives.
     */
    static void unshareMounts() throws IOException {
        call("unshare", state -> (int) UNSHARE.invokeExact(state, CLONE_NEWNS));
        mount("none", Path.of("/"), "none", RECURSIVE_SLAVE, "");
    }

    static void mount(String source, Path target, String type, long flags, String data)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocateFrom(source);
            MemorySegment to = arena.allocateFrom(target.toString());
            MemorySegment kind = arena.allocateFrom(type);
            MemorySegment options = arena.allocateFrom(data);
            call(
                    "mount on " + target,
                    state -> (int) MOUNT.invokeExact(state, from, to, kind, flags, options));
        }
    }

    /**
     * Mounts a directory a second time, with owners as the user namespace maps them: what the host
     * stores as one user's the processes at the target see as another's.
     */
    static void mountMapped(Path source, Path target, int userNamespace) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocateFrom(source.toString());
            MemorySegment to = arena.allocateFrom(target.toString());
            MemorySegment empty = arena.allocateFrom("");
            MemorySegment attributes = arena.allocate(MOUNT_ATTR);
            attributes.set(JAVA_LONG, 0, MOUNT_ATTR_IDMAP | NO_SUID | NO_DEVICES);
            attributes.set(
                    JAVA_LONG,
                    MOUNT_ATTR.byteOffset(MemoryLayout.PathElement.groupElement("userns_fd")),
                    userNamespace);
            int tree =
                    (int)
                            syscall(
                                    OPEN_TREE,
                                    AT_FDCWD,
                                    from,
                                    OPEN_TREE_CLONE | O_CLOEXEC,
                                    MemorySegment.NULL,
                                    0);
            try {
                syscall(
                        MOUNT_SETATTR,
                        tree,
                        empty,
                        AT_EMPTY_PATH,
                        attributes,
                        MOUNT_ATTR.byteSize());
                syscall(MOVE_MOUNT, tree, empty, AT_FDCWD, to, MOVE_MOUNT_F_EMPTY_PATH);
            } finally {
                close(tree);
            }
        }
    }

    /** Opens a descriptor that {@link #close} closes and that no child inherits. */
    static int open(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString());
            return (int)
                    call("open " + path, state -> (int) OPEN.invokeExact(state, name, O_CLOEXEC));
        }
    }

    static void close(int descriptor) throws IOException {
        call("close", state -> (int) CLOSE.invokeExact(state, descriptor));
    }

    private static long syscall(
            long number,
            int first,
            MemorySegment second,
            long third,
            MemorySegment fourth,
            long fifth)
            throws IOException {
        return call(
                "system call " + number,
                state ->
                        (long)
                                SYSCALL.invokeExact(
                                        state, number, (long) first, second, third, fourth, fifth));
    }

    private static long call(String name, Call call) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            long result = call.invoke(state);
            if (result < 0) {
                throw new IOException(name + " failed with error " + state.get(JAVA_INT, 0));
            }
            return result;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(name + " cannot be called", e);
        }
    }

    @SuppressWarnings("restricted") // the whole point of this class
    private static MethodHandle function(
            String name, FunctionDescriptor signature, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = Linker.Option.captureCallState("errno");
        System.arraycopy(options, 0, all, 1, options.length);
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), signature, all);
    }

    @FunctionalInterface
    private interface Call {
        long invoke(MemorySegment state) throws Throwable;
    }
}
