package dev.satchel.server.database;

import java.util.function.Consumer;

/**
 * Notifications between the servers of one database. A signal may arrive late, twice or never, so
 * receivers must also poll.
 */
public interface Signals extends AutoCloseable {
    /** For a database with one server. */
    Signals NONE =
            new Signals() {
                @Override
                public void send(String topic) {}

                @Override
                public void listen(Consumer<String> listener) {}

                @Override
                public void close() {}
            };

    /** Notifies the other servers soon; never waits and never fails. */
    void send(String topic);

    /** Receives topics of other servers, on one thread, so a listener must be fast. */
    void listen(Consumer<String> listener);

    @Override
    void close();
}
