package dev.satchel.cli;

import dev.satchel.client.FileInfo;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Files of this machine on their way into a chat. */
final class Attachments {
    private final SatchelClient client;
    private final Output output;

    Attachments(SatchelClient client, Output output) {
        this.client = client;
        this.output = output;
    }

    List<FileInfo> put(String chat, List<Path> files) throws IOException, InterruptedException {
        check(files);
        try (TransferProgress progress = output.progress(names(files))) {
            List<FileInfo> stored = client.bags().put(chat, files, progress);
            progress.done();
            return stored;
        }
    }

    /** Better told at once than after a long upload. */
    void check(List<Path> files) throws IOException, InterruptedException {
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new NoSuchFileException(file.toString());
            }
        }
        ServerSettings.Limits limits = client.settings().limits();
        for (Path file : files) {
            if (Files.size(file) > limits.maxFileBytes()) {
                throw new CliException(
                        ExitCode.FAILED,
                        file
                                + " has "
                                + Words.size(Files.size(file))
                                + ", the server takes "
                                + Words.size(limits.maxFileBytes()));
            }
        }
    }

    static String names(List<Path> files) {
        return files.size() == 1
                ? String.valueOf(files.getFirst().getFileName())
                : files.size() + " files";
    }
}
