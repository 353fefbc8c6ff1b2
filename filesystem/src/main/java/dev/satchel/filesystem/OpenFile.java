package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** A regular file open for reading, with what it was when it was opened. Whoever opens closes. */
public record OpenFile(FileChannel channel, FileStat stat) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
