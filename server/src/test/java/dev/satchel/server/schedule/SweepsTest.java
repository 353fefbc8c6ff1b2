package dev.satchel.server.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which server runs the clean-up tasks, and when. */
class SweepsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final MovableClock clock = new MovableClock();
    private final List<String> runs = new ArrayList<>();
    private Database database;
    private Sweeps first;
    private Sweeps second;

    @BeforeEach
    void open() {
        URI url = TestDatabases.freshPostgresql();
        database = Databases.postgresql(url);
        first = sweeps("first");
        second = sweeps("second");
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        database.close();
    }

    @Test
    void oneOfTwoServersRunsTheTasksSoonAfterTheStart() {
        tick(first, second);
        assertThat(runs).isEmpty();

        clock.advance(MINUTE);
        tick(first, second);

        assertThat(runs).containsExactly("first");
    }

    @Test
    void aTaskRunsAgainAfterItsPeriod() {
        tick(first);
        clock.advance(MINUTE);
        tick(first);
        clock.advance(HOUR.minus(MINUTE));
        tick(first);
        assertThat(runs).hasSize(1);

        clock.advance(MINUTE);
        tick(first);

        assertThat(runs).hasSize(2);
    }

    @Test
    void anotherServerTakesOverWhenTheFirstStops() {
        tick(first, second);
        first.close();

        tick(second);
        clock.advance(MINUTE);
        tick(second);

        assertThat(runs).containsExactly("second");
    }

    @Test
    void anotherServerTakesOverWhenTheLeaseHasExpired() {
        tick(first, second);
        database.change(
                tx -> {
                    int expired = tx.update("UPDATE sweep_lease SET lease_until = 0").execute();
                    assertThat(expired).isEqualTo(1);
                });

        tick(second, first);
        clock.advance(MINUTE);
        tick(first, second);

        assertThat(runs).containsExactly("second");
    }

    private Sweeps sweeps(String name) {
        Sweeps sweeps = new Sweeps(database, clock, clock, () -> false);
        sweeps.every(HOUR, () -> runs.add(name));
        return sweeps;
    }

    private static void tick(Sweeps... servers) {
        for (Sweeps server : servers) {
            server.elect();
            server.runDue();
        }
    }
}
