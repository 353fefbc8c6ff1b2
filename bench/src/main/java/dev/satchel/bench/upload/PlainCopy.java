package dev.satchel.bench.upload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The speed of the disk: one thread that copies a file from the page cache and flushes it, with a
 * hash if requested. Every copy is a new file that stays, as every upload is: overwriting existing
 * blocks would be faster.
 */
record PlainCopy(Path from, Path folder) {
    private static final int PIECE = 1 << 20;

    void written() throws IOException {
        try (FileChannel in = FileChannel.open(from);
                FileChannel out = create()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
            while (in.read(buffer.clear()) > 0) {
                out.write(buffer.flip());
            }
            out.force(true);
        }
    }

    void writtenAndHashed() throws IOException, NoSuchAlgorithmException {
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        byte[] bytes = new byte[PIECE]; // Java hashes arrays far faster than other memory
        try (FileChannel in = FileChannel.open(from);
                FileChannel out = create()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
            while (in.read(buffer.clear()) > 0) {
                buffer.flip().get(0, bytes, 0, buffer.limit());
                hash.update(bytes, 0, buffer.limit());
                out.write(buffer);
            }
            out.force(true);
        }
        byte[] _ = hash.digest();
    }

    private FileChannel create() throws IOException {
        return FileChannel.open(
                Files.createTempFile(folder, "copy-", null), StandardOpenOption.WRITE);
    }
}
