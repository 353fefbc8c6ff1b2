package dev.satchel.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Optional;

/** The stored lines of a run, read one by one; whoever asked for it closes it. */
public final class Trace implements AutoCloseable {
    private final EventReader reader;

    Trace(HttpResponse<InputStream> response) {
        this.reader = new EventReader(response);
    }

    /** Empty after the last one. */
    public Optional<Event> next() throws IOException {
        return reader.next().map(frame -> ClientJson.MAPPER.readValue(frame.data(), Event.class));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
