package dev.satchel.runner.sandbox;

/** What one run may use: of memory, processes, CPU (in hundredths of a core) and disk. */
public record SandboxLimits(long memoryBytes, int processes, int cpuPercent, long diskBytes) {
    private static final long GIB = 1L << 30;

    public static final SandboxLimits DEFAULT = new SandboxLimits(GIB, 256, 200, 2 * GIB);
}
