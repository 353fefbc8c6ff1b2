package dev.satchel.runner.sandbox.seccomp;

/** The system calls of the filter, with their numbers on both architectures. */
enum Syscall {
    SOCKET(41, 198),
    SOCKETPAIR(53, 199),
    IOCTL(16, 29),
    CLONE(56, 220),
    CLONE3(435, 435),
    UNSHARE(272, 97),
    SETNS(308, 268),
    CHMOD(90, Numbers.ABSENT),
    FCHMOD(91, 52),
    FCHMODAT(268, 53),
    FCHMODAT2(452, 452),
    CREAT(85, Numbers.ABSENT),
    OPEN(2, Numbers.ABSENT),
    OPENAT(257, 56),
    OPENAT2(437, 437),
    MKNOD(133, Numbers.ABSENT),
    MKNODAT(259, 33),
    KEYCTL(250, 219),
    ADD_KEY(248, 217),
    REQUEST_KEY(249, 218),
    BPF(321, 280),
    IO_URING_SETUP(425, 425),
    IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427),
    PTRACE(101, 117),
    PERF_EVENT_OPEN(298, 241),
    PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271),
    PIDFD_GETFD(438, 438),
    KCMP(312, 272),
    USERFAULTFD(323, 282),
    MOUNT(165, 40),
    UMOUNT2(166, 39),
    PIVOT_ROOT(155, 41),
    CHROOT(161, 51),
    OPEN_TREE(428, 428),
    OPEN_TREE_ATTR(467, 467),
    MOVE_MOUNT(429, 429),
    FSOPEN(430, 430),
    FSCONFIG(431, 431),
    FSMOUNT(432, 432),
    FSPICK(433, 433),
    MOUNT_SETATTR(442, 442),
    NAME_TO_HANDLE_AT(303, 264),
    OPEN_BY_HANDLE_AT(304, 265),
    FANOTIFY_INIT(300, 262),
    KEXEC_LOAD(246, 104),
    KEXEC_FILE_LOAD(320, 294),
    INIT_MODULE(175, 105),
    FINIT_MODULE(313, 273),
    DELETE_MODULE(176, 106),
    CREATE_MODULE(174, Numbers.ABSENT),
    REBOOT(169, 142),
    SWAPON(167, 224),
    SWAPOFF(168, 225),
    ACCT(163, 89),
    QUOTACTL(179, 60),
    QUOTACTL_FD(443, 443),
    SYSLOG(103, 116),
    SETTIMEOFDAY(164, 170),
    CLOCK_SETTIME(227, 112),
    CLOCK_ADJTIME(305, 266),
    ADJTIMEX(159, 171),
    IOPL(172, Numbers.ABSENT),
    IOPERM(173, Numbers.ABSENT),
    MODIFY_LDT(154, Numbers.ABSENT),
    USELIB(134, Numbers.ABSENT),
    NFSSERVCTL(180, 42),
    LOOKUP_DCOOKIE(212, 18),
    VHANGUP(153, 58),
    SETHOSTNAME(170, 161),
    SETDOMAINNAME(171, 162);

    private final int x8664;
    private final int aarch64;

    Syscall(int x8664, int aarch64) {
        this.x8664 = x8664;
        this.aarch64 = aarch64;
    }

    /** False for calls that an architecture does not have. */
    boolean existsOn(CpuArchitecture architecture) {
        return number(architecture) != Numbers.ABSENT;
    }

    int number(CpuArchitecture architecture) {
        return switch (architecture) {
            case X86_64 -> x8664;
            case AARCH64 -> aarch64;
        };
    }

    /** The constants of an enum cannot refer to static fields of the enum itself. */
    private static final class Numbers {
        static final int ABSENT = -1;
    }
}
