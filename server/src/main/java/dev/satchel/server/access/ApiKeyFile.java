package dev.satchel.server.access;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The default tenant's key, readable by the owner of the data folder only. */
public record ApiKeyFile(Path path) {
    public static ApiKeyFile in(Path dataFolder) {
        return new ApiKeyFile(dataFolder.resolve("api-key"));
    }

    public boolean exists() {
        return Files.exists(path);
    }

    public Credential read() throws IOException {
        String key = Files.readString(path).strip();
        if (key.isEmpty()) {
            throw new IOException(path + " is empty: delete it to get a new key");
        }
        return new Credential(key);
    }

    /** Made aside and moved in place, so that a crash leaves no half a key. */
    public Credential readOrMake() throws IOException {
        if (exists()) {
            return read();
        }
        Credential key = Credential.fresh(ApiKeys.PREFIX);
        Path draft = path.resolveSibling("api-key.new");
        Files.deleteIfExists(draft);
        write(draft, key.value() + "\n");
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        return key;
    }

    private static void write(Path file, String content) throws IOException {
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (SeekableByteChannel channel =
                Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        ownerOnly)) {
            Channels.newOutputStream(channel).write(content.getBytes(StandardCharsets.UTF_8));
        }
    }
}
