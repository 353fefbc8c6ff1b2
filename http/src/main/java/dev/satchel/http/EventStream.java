package dev.satchel.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A stream of server-sent events. Events that are sent together are one write. */
public final class EventStream implements AutoCloseable {
    /** One event; {@code data} is JSON on a single line. */
    public record Event(String id, String data) {}

    private final OutputStream out;

    EventStream(OutputStream out) {
        this.out = out;
    }

    public void send(List<Event> events) throws IOException {
        StringBuilder frames = new StringBuilder();
        for (Event event : events) {
            frames.append("id: ").append(event.id());
            frames.append("\ndata: ").append(event.data()).append("\n\n");
        }
        write(frames.toString());
    }

    /** One event with a name, for clients that expect one. */
    public void send(String name, String data) throws IOException {
        write("event: " + name + "\ndata: " + data + "\n\n");
    }

    /** Events without an id, for clients that do not resume a stream. */
    public void sendData(List<String> data) throws IOException {
        StringBuilder frames = new StringBuilder();
        data.forEach(one -> frames.append("data: ").append(one).append("\n\n"));
        write(frames.toString());
    }

    /** Events as they are on the wire. */
    public void sendFrames(List<String> frames) throws IOException {
        write(String.join("", frames));
    }

    /** Sends a comment, so that proxies do not close an idle stream. */
    public void ping() throws IOException {
        write(": ping\n\n");
    }

    /** How long a browser waits before it connects again. */
    public void retryAfterMillis(int millis) throws IOException {
        write("retry: " + millis + "\n\n");
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
