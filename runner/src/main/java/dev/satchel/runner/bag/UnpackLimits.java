package dev.satchel.runner.bag;

import dev.satchel.filesystem.WorkspacePath;
import java.util.Map;

/**
 * The limits of a bag. Unpacked bytes are counted; sizes in the zip are not trusted. The
 * compression ratio is limited only beyond {@code freeBytes}, since ordinary files of zeros exist.
 *
 * @param fileBytes the limits of single files; other files have the limit of the bag
 */
public record UnpackLimits(
        int maxEntries, long maxBytes, int maxRatio, long freeBytes, Map<String, Long> fileBytes) {
    private static final long MIB = 1L << 20;

    /** Deflate compresses at most 1,032 times: a higher ratio is an attack. */
    private static final int MAX_RATIO = 1_100;

    public UnpackLimits {
        fileBytes = Map.copyOf(fileBytes);
    }

    /** Exactly the sizes that the server has announced. */
    public static UnpackLimits announced(Map<String, Long> sizes) {
        long total = sizes.values().stream().mapToLong(Long::longValue).sum();
        return new UnpackLimits(sizes.size(), total, MAX_RATIO, 64 * MIB, sizes);
    }

    long maxBytes(WorkspacePath file) {
        return fileBytes.getOrDefault(file.value(), maxBytes);
    }
}
