package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * A named pipe in a workspace. A process has started when it has written a line, and all processes
 * that had the pipe open have ended when the pipe ends.
 */
public final class Pipe {
    static final String NAME = "pipe";

    /** A shell script that opens the pipe and writes a line. */
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
