package dev.satchel.server.database;

import java.util.function.Consumer;

/**
 * Wakes the other servers on the same database. A hint and nothing more: it may come late, twice or
 * never, so whoever waits for one also looks by himself now and then.
 */
public interface Signals extends AutoCloseable {
    /** For a database that only one server opens: there is nobody to wake. */
    Signals NONE =
            new Signals() {
                @Override
                public void send(String topic) {}

                @Override
                public void listen(Consumer<String> listener) {}

                @Override
                public void close() {}
            };

    /** Tells the others, soon; never waits and never fails. */
    void send(String topic);

    /** What others have sent, not what we have; on one thread, so a listener must be quick. */
    void listen(Consumer<String> listener);

    @Override
    void close();
}
