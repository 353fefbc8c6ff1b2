package dev.satchel.runner.model.stream;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the events of a stream one after the other. */
public interface EventReader {
    /** The data of the next event; null at the end of the stream. */
    @Nullable String next() throws IOException;
}
