package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SignalsTest {
    private static final String BREAK_ALL =
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE query LIKE 'LISTEN%' AND datname = current_database()
            """;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> receivedByOne = new LinkedBlockingQueue<>();
    private Database one;
    private Database other;
    private Signals ofOne;
    private Signals ofOther;

    @BeforeEach
    void open() throws Exception {
        URI url = TestDatabases.freshPostgresql();
        one = Databases.postgresql(url);
        other = Databases.postgresql(url);
        ofOne = one.openSignals();
        ofOther = other.openSignals();
        ofOne.listen(receivedByOne::add);
        ofOther.listen(received::add);
        awaitConnected();
    }

    @AfterEach
    void close() {
        ofOne.close();
        ofOther.close();
        one.close();
        other.close();
    }

    @Test
    void theOtherServerHearsAndTheSenderDoesNot() throws Exception {
        ofOne.send("run-1");
        ofOther.send("run-2");

        assertThat(next(received)).isEqualTo("run-1");
        assertThat(next(receivedByOne)).isEqualTo("run-2");
        assertThat(received).isEmpty();
    }

    @Test
    void thousandsOfTopicsAtOnceFitIntoPayloads() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            ofOne.send("00000000-0000-0000-0000-%012d".formatted(i));
        }
        for (int i = 0; i < 2_000; i++) {
            assertThat(next(received)).endsWith("%012d".formatted(i));
        }
    }

    @Test
    void aBrokenConnectionComesBack() throws Exception {
        other.read(tx -> tx.query(BREAK_ALL).mapToMap().list());
        awaitConnected();

        ofOne.send("after");

        assertThat(next(received)).isEqualTo("after");
    }

    /** A signal is only a hint, so the first ones may go nowhere. */
    private void awaitConnected() throws InterruptedException {
        String hello = null;
        while (hello == null) {
            ofOne.send("hello");
            hello = received.poll(50, TimeUnit.MILLISECONDS);
        }
        while (hello != null) {
            hello = received.poll(200, TimeUnit.MILLISECONDS);
        }
    }

    private static String next(BlockingQueue<String> queue) throws InterruptedException {
        String topic = queue.poll(20, TimeUnit.SECONDS);
        if (topic == null) {
            throw new AssertionError("nothing was received");
        }
        return topic;
    }
}
