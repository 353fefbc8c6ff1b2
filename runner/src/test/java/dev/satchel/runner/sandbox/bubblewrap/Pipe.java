package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * A named pipe in a workspace that tells a test, without waiting for time to pass, that a process
 * lives (it wrote a line) and that all who held the pipe are dead (it ended).
 */
public final class Pipe {
    static final String NAME = "pipe";

    /** For a shell: holds the pipe open and says so. */
    public static final String HOLD = "exec 3>" + NAME + "; echo alive >&3; ";

    private final CompletableFuture<String> firstLine = new CompletableFuture<>();
    private final CompletableFuture<String> rest = new CompletableFuture<>();

    private Pipe() {}

    public static Pipe in(Path workspace) throws IOException, InterruptedException {
        Path file = workspace.resolve(NAME);
        new ProcessBuilder("mkfifo", "-m", "666", file.toString()).inheritIO().start().waitFor();
        Pipe pipe = new Pipe();
        Thread.ofPlatform().daemon().start(() -> pipe.read(file));
        return pipe;
    }

    public void awaitStart() {
        firstLine.join();
    }

    public void awaitEnd() {
        rest.join();
    }

    private void read(Path file) {
        try (var reader = Files.newBufferedReader(file)) {
            firstLine.complete(String.valueOf(reader.readLine()));
            rest.complete(reader.readAllAsString());
        } catch (IOException e) {
            firstLine.completeExceptionally(new UncheckedIOException(e));
            rest.completeExceptionally(new UncheckedIOException(e));
        }
    }
}
