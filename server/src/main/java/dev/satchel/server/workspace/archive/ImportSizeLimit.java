package dev.satchel.server.workspace.archive;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;

/** Adds up the unpacked size of a bundle and refuses one that is too large. */
final class ImportSizeLimit {
    static final long MAX_BYTES = 1L << 30;
    static final int MAX_ENTRIES = 100_000;

    private long bytes;
    private int entries;

    /** Adds one entry; {@code more} may be any number. */
    void add(long more) {
        entries++;
        if (more > MAX_BYTES - bytes || entries > MAX_ENTRIES) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the bundle has more than %d bytes or %d entries"
                            .formatted(MAX_BYTES, MAX_ENTRIES));
        }
        bytes += more;
    }
}
