package dev.satchel.server.snapshot;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * A content as it is read from its beginning: its last bytes come only when all of them have the
 * hash that it is known by, so whoever passes them on breaks off a damaged one before its end.
 */
final class ChecksumInputStream extends InputStream {
    private static final int SMALL = 64 * 1024;

    private final InputStream content;
    private final ContentHash hash;
    private final MessageDigest digest = ContentHash.begin();
    private long rest;

    private ChecksumInputStream(InputStream content, ManifestEntry file) {
        this.content = content;
        this.hash = file.requireContent().hash();
        this.rest = file.stat().size();
    }

    /**
     * A file's bytes from an offset on. A small one is checked whole before the first byte is
     * given, so that a damaged one is a plain error; a part of a large one cannot be checked.
     */
    static InputStream from(long offset, InputStream content, ManifestEntry file)
            throws IOException {
        ChecksumInputStream checked = new ChecksumInputStream(content, file);
        try {
            if (file.stat().size() <= SMALL) {
                try (checked) {
                    byte[] bytes = checked.readAllBytes();
                    return new ByteArrayInputStream(bytes, (int) offset, bytes.length);
                }
            }
            if (offset == 0) {
                return checked;
            }
            content.skipNBytes(offset);
            return content;
        } catch (IOException e) {
            content.close();
            throw e;
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (rest == 0) {
            return -1;
        }
        int count = content.read(target, offset, (int) Math.min(length, rest));
        if (count < 0) {
            throw new EOFException("a stored content is damaged: it is too short");
        }
        digest.update(target, offset, count);
        rest -= count;
        if (rest == 0) {
            ContentHash.requireSame(digest, hash);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        content.close();
    }
}
