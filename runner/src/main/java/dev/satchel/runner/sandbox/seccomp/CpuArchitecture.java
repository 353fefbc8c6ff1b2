package dev.satchel.runner.sandbox.seccomp;

/** A processor architecture with known system call numbers. */
public enum CpuArchitecture {
    X86_64(0xC000003E),
    AARCH64(0xC00000B7);

    private final int auditNumber;

    CpuArchitecture(int auditNumber) {
        this.auditNumber = auditNumber;
    }

    /** The architecture this process runs on. */
    public static CpuArchitecture current() {
        String name = System.getProperty("os.arch", "");
        return switch (name) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> throw new IllegalStateException("no system call table for " + name);
        };
    }

    /** The value of {@code seccomp_data.arch}. */
    int auditNumber() {
        return auditNumber;
    }
}
