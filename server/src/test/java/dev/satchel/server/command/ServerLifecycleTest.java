package dev.satchel.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.application.Application;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.schedule.MonotonicClock;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerLifecycleTest {
    @Test
    void plainFlagsAreUnderstoodWithoutHelp() {
        assertThat(ServerLifecycle.plainFlags("serve")).contains(Map.of());
        assertThat(ServerLifecycle.plainFlags("serve", "--port", "0", "--data", "a b"))
                .contains(Map.of("--port", "0", "--data", "a b"));
    }

    @Test
    void whateverElseIsSaidIsLeftToPicocli() {
        assertThat(ServerLifecycle.plainFlags()).isEmpty();
        assertThat(ServerLifecycle.plainFlags("runner")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--help")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port", "1", "--port", "2")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port", "--data")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--prot", "1")).isEmpty();
        assertThat(ServerLifecycle.plainFlags("serve", "--port=1")).isEmpty();
    }

    @Test
    void aServerGoesOnWhenTheDatabaseIsAwayAtItsStart(@TempDir Path data) throws Exception {
        try (DatabaseProxy database = new DatabaseProxy(TestDatabases.freshPostgresql());
                Application application =
                        new Application(
                                TestServer.configuration(data, database.url(), null),
                                Clock.systemUTC(),
                                new MonotonicClock())) {
            application.start();
            database.cut();
            ByteArrayOutputStream out = new ByteArrayOutputStream();

            ServerLifecycle.printAddresses(
                    application, new PrintStream(out, true, StandardCharsets.UTF_8), true);

            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("Satchel listens on")
                    .contains("no link to log in");
        }
    }
}
