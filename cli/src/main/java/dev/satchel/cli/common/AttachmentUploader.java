package dev.satchel.cli.common;

import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.TransferProgress;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Uploads files of this machine into a chat. */
public final class AttachmentUploader {
    private final SatchelClient client;
    private final Output output;

    public AttachmentUploader(SatchelClient client, Output output) {
        this.client = client;
        this.output = output;
    }

    public List<FileInfo> upload(String chat, List<Path> files)
            throws IOException, InterruptedException {
        check(files);
        try (TransferProgress progress = output.progress(names(files))) {
            List<FileInfo> stored = client.bags().put(chat, files, progress);
            progress.done();
            return stored;
        }
    }

    /** Uploads files for a run without a chat and returns their ids. */
    public List<String> uploadForRun(List<Path> files) throws IOException, InterruptedException {
        check(files);
        try (TransferProgress progress = output.progress(names(files))) {
            List<String> ids = client.agents().upload(files, progress);
            progress.done();
            return ids;
        }
    }

    /** Refuses missing and too large files before anything is uploaded. */
    public void check(List<Path> files) throws IOException, InterruptedException {
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
                                + HumanFormat.size(Files.size(file))
                                + ", the limit of the server is "
                                + HumanFormat.size(limits.maxFileBytes()));
            }
        }
    }

    public static String names(List<Path> files) {
        return files.size() == 1
                ? String.valueOf(files.getFirst().getFileName())
                : files.size() + " files";
    }
}
