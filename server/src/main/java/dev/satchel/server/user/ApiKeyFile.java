package dev.satchel.server.user;

import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.CallerSecret;
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

/** The file with the key of the default tenant. Only the owner of the directory can read it. */
public record ApiKeyFile(Path path) {
    public static ApiKeyFile in(Path dataFolder) {
        return new ApiKeyFile(dataFolder.resolve("api-key"));
    }

    public boolean exists() {
        return Files.exists(path);
    }

    public CallerSecret read() throws IOException {
        String key = Files.readString(path).strip();
        if (key.isEmpty()) {
            throw new IOException(path + " is empty: delete it to get a new key");
        }
        return new CallerSecret(key);
    }

    /** Writes a new key to a temporary file and renames it, so a crash leaves no partial key. */
    public CallerSecret readOrCreate() throws IOException {
        if (exists()) {
            return read();
        }
        CallerSecret key = CallerSecret.random(ApiKeys.PREFIX);
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
