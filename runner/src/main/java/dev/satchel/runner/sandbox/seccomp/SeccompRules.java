package dev.satchel.runner.sandbox.seccomp;

import static dev.satchel.runner.sandbox.seccomp.SeccompRule.refuse;

import dev.satchel.runner.sandbox.seccomp.ArgumentCondition.AnyBit;
import dev.satchel.runner.sandbox.seccomp.ArgumentCondition.NoneOf;
import dev.satchel.runner.sandbox.seccomp.ArgumentCondition.OneOf;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** The system calls that a sandboxed command cannot use. */
final class SeccompRules {
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final int EAFNOSUPPORT = 97;

    /** UNIX, INET, INET6, NETLINK; not VSOCK, which reaches the host of a virtual machine. */
    private static final List<Integer> SOCKET_FAMILIES = List.of(1, 2, 10, 16);

    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
    private static final int NEW_NAMESPACES = 0x7E020000;

    /** TIOCSTI and TIOCLINUX put input into a terminal. */
    private static final List<Integer> TERMINAL_INJECTION = List.of(0x5412, 0x541C);

    private static final int O_CREAT = 0x40;
    private static final int TEMPORARY_FILE = 0x400000;
    private static final int SET_ID_BITS = 06000;

    private static final List<SeccompRule> CONDITIONAL =
            List.of(
                    refuse(Syscall.SOCKET, EAFNOSUPPORT, new NoneOf(0, SOCKET_FAMILIES)),
                    refuse(Syscall.SOCKETPAIR, EAFNOSUPPORT, new NoneOf(0, SOCKET_FAMILIES)),
                    refuse(Syscall.IOCTL, EPERM, new OneOf(1, TERMINAL_INJECTION)),
                    refuse(Syscall.CLONE, EPERM, new AnyBit(0, NEW_NAMESPACES)),
                    // a filter cannot read its flags in memory; libc falls back to clone
                    refuse(Syscall.CLONE3, ENOSYS));

    /** Files of a command belong to the runner on the host, so no program may run as it. */
    private static final List<SeccompRule> SET_ID =
            List.of(
                    refuse(Syscall.CHMOD, EPERM, new AnyBit(1, SET_ID_BITS)),
                    refuse(Syscall.FCHMOD, EPERM, new AnyBit(1, SET_ID_BITS)),
                    refuse(Syscall.FCHMODAT, EPERM, new AnyBit(2, SET_ID_BITS)),
                    refuse(Syscall.FCHMODAT2, EPERM, new AnyBit(2, SET_ID_BITS)),
                    refuse(Syscall.CREAT, EPERM, new AnyBit(1, SET_ID_BITS)),
                    refuse(Syscall.OPEN, EPERM, creating(1), new AnyBit(2, SET_ID_BITS)),
                    refuse(Syscall.OPENAT, EPERM, creating(2), new AnyBit(3, SET_ID_BITS)),
                    // its mode is in memory, as with clone3
                    refuse(Syscall.OPENAT2, ENOSYS),
                    refuse(Syscall.MKNOD, EPERM, new AnyBit(1, SET_ID_BITS)),
                    refuse(Syscall.MKNODAT, EPERM, new AnyBit(2, SET_ID_BITS)));

    /** Every other call of {@link Syscall} is refused whatever its arguments. */
    private static final List<SeccompRule> ALWAYS = always();

    static final List<SeccompRule> ALL =
            Stream.of(CONDITIONAL, SET_ID, ALWAYS).flatMap(List::stream).toList();

    private SeccompRules() {}

    /** The mode has a meaning only when the call creates a file. */
    private static ArgumentCondition creating(int flags) {
        return new AnyBit(flags, O_CREAT | TEMPORARY_FILE);
    }

    private static List<SeccompRule> always() {
        EnumSet<Syscall> rest = EnumSet.allOf(Syscall.class);
        Stream.of(CONDITIONAL, SET_ID)
                .flatMap(List::stream)
                .map(SeccompRule::syscall)
                .forEach(rest::remove);
        return rest.stream().map(syscall -> refuse(syscall, EPERM)).toList();
    }
}
