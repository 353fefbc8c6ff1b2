package dev.satchel.torture.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory, small enough to fill. Mounting takes root. */
public record SmallDisk(Path path) implements AutoCloseable {
    public static SmallDisk mount(Path path, int megabytes)
            throws IOException, InterruptedException {
        Files.createDirectories(path);
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "satchel-torture", path);
        return new SmallDisk(path);
    }

    /** A killed process may hold a file there for a moment. */
    @Override
    public void close() {
        try {
            FaultTiming.await(
                    () -> {
                        run("umount", path);
                        return true;
                    },
                    "the small disk cannot be unmounted: " + path);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Object... command) throws IOException, InterruptedException {
        String[] words = new String[command.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = command[i].toString();
        }
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", words) + ": " + output.strip());
        }
    }
}
