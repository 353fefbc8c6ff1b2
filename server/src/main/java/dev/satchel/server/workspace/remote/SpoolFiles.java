package dev.satchel.server.workspace.remote;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files without a name, for bytes on their way from or to another machine. */
final class SpoolFiles {
    private SpoolFiles() {}

    /** Gone when it is closed, or with the process. */
    static FileChannel open() throws IOException {
        Path path = Files.createTempFile("satchel-spool-", null);
        try {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(path);
        }
    }
}
