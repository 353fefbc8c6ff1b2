package dev.satchel.cli;

import dev.satchel.client.DownloadStream;
import dev.satchel.client.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a download goes: a file, a folder under its own name, or {@code -} for the output. */
final class Saving {
    private static final String STDOUT = "-";

    private Saving() {}

    static void save(DownloadStream content, String name, @Nullable String to, Output output)
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

    /** Under its own name in a folder, which is made if need be. */
    static void into(Path folder, FileInfo file, DownloadStream content, Output output)
            throws IOException, InterruptedException {
        try (TransferProgress progress = output.progress(file.name())) {
            content.saveTo(in(folder, file.name()), progress);
            progress.done();
        }
    }

    /** Of a name from elsewhere only the last part counts, so that it stays in the folder. */
    static Path in(Path folder, String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        if (last.isBlank() || last.equals(".") || last.equals("..") || last.indexOf('\0') >= 0) {
            throw new CliException(ExitCode.FAILED, "not a name for a file here: " + name);
        }
        return folder.resolve(last);
    }

    private record Saved(String name, String path, long size) {}

    private static Path target(String name, @Nullable String to) {
        if (to == null) {
            return in(Path.of(""), name);
        }
        Path given = Path.of(to);
        return Files.isDirectory(given) || to.endsWith("/") ? in(given, name) : given;
    }
}
