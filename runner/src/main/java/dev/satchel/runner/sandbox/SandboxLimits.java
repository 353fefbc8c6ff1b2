package dev.satchel.runner.sandbox;

/** The limits of one run: memory, processes, CPU (in percent of a core) and disk. */
public record SandboxLimits(long memoryBytes, int processes, int cpuPercent, long diskBytes) {
    private static final long GIB = 1L << 30;

    public static final SandboxLimits DEFAULT = new SandboxLimits(GIB, 256, 200, 2 * GIB);
}
