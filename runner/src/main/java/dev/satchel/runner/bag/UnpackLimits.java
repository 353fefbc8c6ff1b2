package dev.satchel.runner.bag;

import dev.satchel.filesystem.WorkspacePath;
import java.util.Map;

/**
 * How much a bag may hold. Bytes are counted as they come out of the zip, whatever it says of
 * itself; the ratio counts only beyond {@code freeBytes}, for honest files of zeros exist.
 *
 * @param fileBytes what a file may have; one that is not named here may have all
 */
public record UnpackLimits(
        int maxEntries, long maxBytes, int maxRatio, long freeBytes, Map<String, Long> fileBytes) {
    private static final long MIB = 1L << 20;

    /** Deflate shrinks nothing more than 1,032 times: more is no honest zip. */
    private static final int MAX_RATIO = 1_100;

    public UnpackLimits {
        fileBytes = Map.copyOf(fileBytes);
    }

    /** What Satchel announced of its bag, and not a byte more. */
    public static UnpackLimits announced(Map<String, Long> sizes) {
        long total = sizes.values().stream().mapToLong(Long::longValue).sum();
        return new UnpackLimits(sizes.size(), total, MAX_RATIO, 64 * MIB, sizes);
    }

    long maxBytes(WorkspacePath file) {
        return fileBytes.getOrDefault(file.value(), maxBytes);
    }
}
