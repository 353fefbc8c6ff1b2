package dev.satchel.client;

import dev.satchel.client.model.Event;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of one run, in order, each once. When the connection is lost it is made again and goes
 * on where it was cut, also after the server was restarted. Closing it ends the reading, not the
 * run. For one thread.
 */
public final class RunEvents implements AutoCloseable {
    private final Opening opening;
    private final Backoff backoff = new Backoff();
    private @Nullable EventReader reader;
    private @Nullable EventPosition position;
    private Runnable lost = () -> {};
    private String json = "";
    private long linesRead;
    private boolean ended;

    /** Makes a connection that begins after a position, or, as often as need be, the first one. */
    interface Opening {
        HttpResponse<InputStream> open(@Nullable EventPosition after)
                throws IOException, InterruptedException;
    }

    private RunEvents(Opening opening, @Nullable EventPosition after) {
        this.opening = opening;
        this.position = after;
    }

    /** Connects at once, so that a refusal is thrown here. */
    static RunEvents open(Opening opening, @Nullable EventPosition after)
            throws IOException, InterruptedException {
        RunEvents events = new RunEvents(opening, after);
        while (true) {
            try {
                events.connect();
                return events;
            } catch (IOException e) {
                events.recover(e);
            }
        }
    }

    /** The next event, as soon as there is one; empty after {@link Event.End}. */
    public Optional<Event> next() throws IOException, InterruptedException {
        while (!ended) {
            try {
                Optional<EventReader.Frame> frame = connect().next();
                if (frame.isPresent()) {
                    return Optional.of(take(frame.get()));
                }
                throw new EOFException("the connection ended before the run did");
            } catch (IOException e) {
                recover(e);
            }
        }
        return Optional.empty();
    }

    /** The listener for lost connections that will be opened again. */
    public void whenLost(Runnable listener) {
        lost = listener;
    }

    /** The last event as it came, with what this client does not know; one line. */
    public String json() {
        return json;
    }

    /** Nothing more will come. */
    boolean hasEnded() {
        return ended;
    }

    /** What came last; empty before the first event. */
    public Optional<EventPosition> position() {
        return Optional.ofNullable(position);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }

    private EventReader connect() throws IOException, InterruptedException {
        if (reader == null) {
            HttpResponse<InputStream> response = opening.open(position);
            ended = response.statusCode() == 204; // nothing comes after what we have
            reader = new EventReader(response);
        }
        return reader;
    }

    private Event take(EventReader.Frame frame) {
        Event event = frame.event();
        json = frame.data();
        linesRead++;
        position = EventPosition.parse(frame.id()).orElseGet(() -> counted(event));
        ended = event instanceof Event.End;
        backoff.succeeded();
        return event;
    }

    /** NDJSON lines carry no number; all of them are sent, so counting gives it. */
    private @Nullable EventPosition counted(Event event) {
        if (event instanceof Event.RunStarted started) {
            return new EventPosition(started.runId(), linesRead);
        }
        return position == null ? null : new EventPosition(position.runId(), position.seq() + 1);
    }

    /** Before the first event the request itself is sent again: its key finds what it began. */
    private void recover(IOException failure) throws IOException, InterruptedException {
        if (!ended) {
            close();
            backoff.failed(failure, lost);
        }
    }
}
