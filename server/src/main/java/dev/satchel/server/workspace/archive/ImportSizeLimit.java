package dev.satchel.server.workspace.archive;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;

/** Adds up the unpacked size of a bundle and refuses one that is too large. */
final class ImportSizeLimit {
    static final long MAX_BYTES = 1L << 30;
    static final int MAX_ENTRIES = 100_000;

    /** So small archives may unpack to anything of this size. */
    private static final long ALWAYS = 32 << 20;

    private static final int MAX_RATIO = 250;

    private final long packed;
    private long bytes;
    private int entries;

    /** Of a bundle that has so many bytes itself. */
    ImportSizeLimit(long packed) {
        this.packed = packed;
    }

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
        if (bytes > ALWAYS + packed * MAX_RATIO) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the bundle unpacks to more than %d times its size".formatted(MAX_RATIO));
        }
    }
}
