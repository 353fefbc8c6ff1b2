package dev.satchel.runner.sandbox;

/**
 * The limits of one run: memory, processes, CPU (in percent of a core), and bytes and entries
 * (files and directories) on disk.
 */
public record SandboxLimits(
        long memoryBytes, int processes, int cpuPercent, long diskBytes, int diskEntries) {
    private static final long GIB = 1L << 30;

    public static final int STANDARD_ENTRIES = 524_288;

    public static final SandboxLimits DEFAULT = new SandboxLimits(GIB, 256, 200, 2 * GIB);

    /** With the usual number of entries. */
    public SandboxLimits(long memoryBytes, int processes, int cpuPercent, long diskBytes) {
        this(memoryBytes, processes, cpuPercent, diskBytes, STANDARD_ENTRIES);
    }
}
