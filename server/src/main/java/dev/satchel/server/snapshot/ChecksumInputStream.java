package dev.satchel.server.snapshot;

import dev.satchel.http.security.Sha256;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * A stored content that is checked against its hash while it is read. The last bytes are returned
 * only if the hash matches, so that a damaged download is cut short.
 */
final class ChecksumInputStream extends InputStream {
    private static final int SMALL = 64 * 1024;

    private final InputStream content;
    private final ContentHash hash;
    private final MessageDigest digest = Sha256.newDigest();
    private long rest;

    private ChecksumInputStream(InputStream content, ManifestEntry file) {
        this.content = content;
        this.hash = file.requireContent().hash();
        this.rest = file.stat().size();
    }

    /**
     * The content of a file from an offset. A small content is checked before the first byte is
     * returned, so that a damaged one is an ordinary error; a part of a large one is not checked.
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
