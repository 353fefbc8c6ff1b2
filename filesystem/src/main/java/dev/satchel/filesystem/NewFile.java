package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * A file being written under a name of its own; {@link #commit} puts it in its place at once.
 * Closing it without that leaves nothing.
 */
public interface NewFile extends AutoCloseable {
    FileChannel channel();

    void commit() throws IOException;

    @Override
    void close() throws IOException;
}
