package dev.satchel.server.workspace.archive;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.workspace.files.WorkspaceLimits;

/**
 * Adds up what a bundle unpacks to, and what stays of the workspace, and refuses too much. It
 * counts as the disk limit of a sandbox does, so that a run can use the workspace afterwards.
 */
final class ImportSizeLimit {
    /** What is empty takes a block too. */
    private static final long LEAST_BYTES = 4096;

    /** So small archives may unpack to anything of this size. */
    private static final long ALWAYS = 32 << 20;

    private static final int MAX_RATIO = 250;

    /** The names of all entries are in memory. */
    private static final long MAX_NAMES = 64 << 20;

    private final WorkspaceLimits limits;
    private final long packed;
    private long unpacked;
    private long bytes;
    private int entries;
    private long names;

    /** Of a bundle that has {@code packed} bytes itself. */
    ImportSizeLimit(WorkspaceLimits limits, long packed) {
        this.limits = limits;
        this.packed = packed;
    }

    /** Adds an entry of the bundle; {@code more} may be any number. */
    void add(String name, long more) {
        addToWorkspace(more);
        unpacked += more;
        if (unpacked > ALWAYS + packed * MAX_RATIO) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the bundle unpacks to more than %d times its size".formatted(MAX_RATIO));
        }
        names += name.length();
        if (names > MAX_NAMES) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the names in the bundle have more than %d characters".formatted(MAX_NAMES));
        }
    }

    /** Adds what stays of the workspace beside the bundle, or is copied within it. */
    void addToWorkspace(long more) {
        entries++;
        long counted = Math.max(LEAST_BYTES, more);
        if (counted > limits.bytes() - bytes || entries > limits.entries()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the workspace would have more than %d bytes or %d entries"
                            .formatted(limits.bytes(), limits.entries()));
        }
        bytes += counted;
    }
}
