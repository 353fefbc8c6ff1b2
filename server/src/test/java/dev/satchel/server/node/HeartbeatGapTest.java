package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** No server reaches the database for a while, so that all heartbeats expire. */
class HeartbeatGapTest {
    private final MovableClock clock = new MovableClock();

    @Test
    void afterAGapOtherServersHaveTheTimeOfARenewal() {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                Nodes one = new Nodes(database, NodeId.random(), clock, clock)) {
            NodeId other = NodeId.random();
            database.change(
                    tx ->
                            new NodeStore()
                                    .announce(
                                            tx,
                                            other,
                                            URI.create("http://127.0.0.1:1"),
                                            clock.millis()));
            assertThat(one.find(other)).isPresent();

            clock.advance(Duration.ofMinutes(1));
            assertThat(one.find(other)).isPresent();
            assertThat(one.others()).hasSize(1);
            long now = clock.millis();
            assertThat(database.<Boolean>read(tx -> one.isAlive(tx, other, now))).isTrue();

            clock.advance(Duration.ofSeconds(10));
            assertThat(one.find(other)).isEmpty();
        }
    }
}
