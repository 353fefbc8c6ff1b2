package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * A file that is written under a temporary name; {@link #commit} gives it its name. Closing it
 * without a commit deletes it.
 */
public interface NewFile extends AutoCloseable {
    FileChannel channel();

    void commit() throws IOException;

    @Override
    void close() throws IOException;
}
