package dev.satchel.server.workspace.archive;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;

/** Adds up what a bundle comes to once it is unpacked; too much is refused. */
final class ImportSizeLimit {
    static final long MAX_BYTES = 1L << 30;
    static final int MAX_MEMBERS = 100_000;

    private long bytes;
    private int members;

    /** One more member, of so many bytes, however large that number is. */
    void add(long more) {
        members++;
        if (more > MAX_BYTES - bytes || members > MAX_MEMBERS) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the bundle has more than %d bytes or %d members"
                            .formatted(MAX_BYTES, MAX_MEMBERS));
        }
        bytes += more;
    }
}
