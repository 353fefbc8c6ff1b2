package dev.satchel.server.credential;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The file with the keys of the credentials, one per line. Only its owner can read it. */
public final class SealingKeyFile {
    private final Path path;

    private SealingKeyFile(Path path) {
        this.path = path;
    }

    public static SealingKeyFile in(Path dataFolder) {
        return new SealingKeyFile(dataFolder.resolve("secret-key"));
    }

    synchronized List<SealingKey> readOrCreate() throws IOException {
        if (!Files.exists(path)) {
            write(List.of(SealingKey.random()));
        }
        return read();
    }

    /** Puts a new key first; the older ones stay until {@link #keepFirst}. */
    public synchronized void addKey() throws IOException {
        List<SealingKey> keys = new ArrayList<>(readOrCreate());
        keys.addFirst(SealingKey.random());
        write(keys);
    }

    public synchronized void keepFirst() throws IOException {
        write(List.of(read().getFirst()));
    }

    private List<SealingKey> read() throws IOException {
        List<SealingKey> keys = new ArrayList<>();
        for (String line : Files.readAllLines(path)) {
            if (!line.isBlank()) {
                keys.add(parse(line));
            }
        }
        if (keys.isEmpty()) {
            throw new IOException(path + " has no key");
        }
        return keys;
    }

    private SealingKey parse(String line) throws IOException {
        try {
            return SealingKey.parse(line);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " has a line that is not a key", e);
        }
    }

    /** Writes to a temporary file and renames it, so a crash leaves the old keys or the new. */
    private void write(List<SealingKey> keys) throws IOException {
        Path draft = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(draft);
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (SeekableByteChannel channel =
                Files.newByteChannel(
                        draft,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.DSYNC),
                        ownerOnly)) {
            for (SealingKey key : keys) {
                Channels.newOutputStream(channel)
                        .write((key.encoded() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
    }
}
