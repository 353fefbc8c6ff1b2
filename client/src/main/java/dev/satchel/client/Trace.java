package dev.satchel.client;

import dev.satchel.client.model.Event;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Optional;

/** The stored lines of a run, read one by one; the caller closes it. */
public final class Trace implements AutoCloseable {
    private final EventReader reader;
    private String json = "";

    Trace(HttpResponse<InputStream> response) {
        this.reader = new EventReader(response);
    }

    /** Empty after the last one. */
    public Optional<Event> next() throws IOException {
        Optional<EventReader.Frame> frame = reader.next();
        json = frame.map(EventReader.Frame::data).orElse("");
        return frame.map(EventReader.Frame::event);
    }

    /** The last one as it came, with what this client does not know; one line. */
    public String json() {
        return json;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
