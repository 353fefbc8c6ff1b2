package dev.satchel.cli.common;

import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.TransferProgress;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.model.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes a download to a file, into a folder, or with {@code -} to standard output. */
public final class DownloadWriter {
    private static final String STDOUT = "-";

    private DownloadWriter() {}

    public static void save(DownloadStream content, String name, @Nullable String to, Output output)
            throws IOException, InterruptedException {
        if (STDOUT.equals(to)) {
            content.stream().transferTo(output.out());
            output.out().flush();
            return;
        }
        Path target = target(name, to);
        try (TransferProgress progress = output.progress(name)) {
            content.saveTo(target, progress);
            progress.done();
        }
        if (output.isJson()) {
            output.json(new Saved(name, target.toString(), Files.size(target)));
        } else {
            output.out().println(target);
        }
    }

    /** Saves at the path of the file in a folder; missing folders are created. */
    public static void saveInto(Path folder, FileInfo file, DownloadStream content, Output output)
            throws IOException, InterruptedException {
        Path target = folder;
        for (String name : file.shownPath().split("/", -1)) {
            target = resolve(target, name); // refuses names that lead out
        }
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try (TransferProgress progress = output.progress(file.shownPath())) {
            content.saveTo(target, progress);
            progress.done();
        }
    }

    /** Uses only the last part of a name from the server, so that the file stays in the folder. */
    public static Path resolve(Path folder, String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        if (last.isBlank() || last.equals(".") || last.equals("..") || last.indexOf('\0') >= 0) {
            throw new CliException(ExitCode.FAILED, "not a valid file name: " + name);
        }
        return folder.resolve(last);
    }

    private record Saved(String name, String path, long size) {}

    private static Path target(String name, @Nullable String to) {
        if (to == null) {
            return resolve(Path.of(""), name);
        }
        Path given = Path.of(to);
        return Files.isDirectory(given) || to.endsWith("/") ? resolve(given, name) : given;
    }
}
