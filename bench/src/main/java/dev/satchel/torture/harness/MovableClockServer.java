package dev.satchel.torture.harness;

import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.schedule.MonotonicClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server whose clock jumps: its offset in milliseconds is in a file. The time of the database and
 * the clock for durations go on as usual, as when an operator sets the clock of a machine.
 */
public final class MovableClockServer {
    /** The system property with the file. */
    static final String OFFSET = "satchel.torture.clock";

    private MovableClockServer() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> flags = new HashMap<>();
        for (int i = 1; i < arguments.length; i += 2) {
            flags.put(arguments[i], arguments[i + 1]);
        }
        Configuration configuration =
                ConfigurationReader.read(flags, List.of(), System.getenv()).configuration();
        Clock clock = new MovableClock(Path.of(System.getProperty(OFFSET)));
        Application application = new Application(configuration, clock, new MonotonicClock());
        application.start();
        Runtime.getRuntime().addShutdownHook(new Thread(application::close, "stop"));
        System.out.println("Satchel listens on " + application.publicUrl());
        Thread.currentThread().join();
    }

    /** The option of the JVM that names the file. */
    static String option(Path offset) {
        return "-D" + OFFSET + "=" + offset;
    }

    private static final class MovableClock extends Clock {
        private final Clock system = Clock.systemUTC();
        private final Path offset;

        MovableClock(Path offset) {
            this.offset = offset;
        }

        @Override
        public Instant instant() {
            try {
                return system.instant().plusMillis(Long.parseLong(Files.readString(offset)));
            } catch (IOException e) {
                throw new IllegalStateException("the offset of the clock cannot be read", e);
            }
        }

        @Override
        public ZoneId getZone() {
            return system.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("always UTC");
        }
    }
}
