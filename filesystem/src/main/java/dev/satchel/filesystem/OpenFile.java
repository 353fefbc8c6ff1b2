package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** A regular file that is open for reading, with its stat at that time. The opener closes it. */
public record OpenFile(FileChannel channel, FileStat stat) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
