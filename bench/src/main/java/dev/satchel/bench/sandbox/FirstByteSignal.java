package dev.satchel.bench.sandbox;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A named pipe in a workspace: the moment a command's first byte arrives, seen from outside. A
 * sandbox gives its output back only as a whole.
 */
final class FirstByteSignal implements AutoCloseable {
    static final String NAME = "signal";

    /** Opens both ends, so that neither opening nor closing blocks. */
    private final RandomAccessFile pipe;

    FirstByteSignal(Path workspace) throws IOException, InterruptedException {
        Path file = workspace.resolve(NAME);
        int exit = new ProcessBuilder("mkfifo", "-m", "666", file.toString()).start().waitFor();
        if (exit != 0) {
            throw new IOException("mkfifo ended with " + exit);
        }
        this.pipe = new RandomAccessFile(file.toFile(), "rw");
    }

    /** A command that writes its first byte into the pipe, and does nothing else. */
    interface Act {
        void run() throws IOException, InterruptedException;
    }

    /** Nanoseconds from before the act to its first byte. */
    long timeToFirstByte(Act act) throws IOException, InterruptedException {
        CompletableFuture<Long> arrived = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().daemon().start(() -> read(arrived));
        long start = System.nanoTime();
        try {
            act.run();
        } catch (IOException | RuntimeException e) {
            pipe.write('\n'); // unblocks the reader
            throw e;
        }
        reader.join();
        try {
            return arrived.get() - start;
        } catch (ExecutionException e) {
            throw new IOException("no byte came", e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        pipe.close();
    }

    private void read(CompletableFuture<Long> arrived) {
        try {
            int _ = pipe.read();
            arrived.complete(System.nanoTime());
        } catch (IOException e) {
            arrived.completeExceptionally(e);
        }
    }
}
