package dev.satchel.runner.model;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * When a failed call is repeated: some tries, with waits that double from 1 s to 60 s and are
 * shortened at random by up to half, so that many runs do not repeat at the same moment.
 *
 * @param random from 0 to 1
 * @param longestRetryAfter a provider that asks for more gets no further try
 */
public record RetryPolicy(
        Clock clock,
        Sleeper sleeper,
        DoubleSupplier random,
        int tries,
        Duration longestRetryAfter) {
    public static final int DEFAULT_TRIES = 5;
    public static final Duration DEFAULT_RETRY_AFTER = Duration.ofMinutes(2);

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    public RetryPolicy(Clock clock, Sleeper sleeper, DoubleSupplier random) {
        this(clock, sleeper, random, DEFAULT_TRIES, DEFAULT_RETRY_AFTER);
    }

    /** With the clock and the waits of this machine. */
    public static RetryPolicy of(int tries, Duration longestRetryAfter) {
        return new RetryPolicy(
                Clock.systemUTC(),
                Thread::sleep,
                () -> ThreadLocalRandom.current().nextDouble(),
                tries,
                longestRetryAfter);
    }

    /** Waits. An interrupt ends the wait. */
    @FunctionalInterface
    public interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }

    /** The wait after the failed try with this number, which counts from 1. */
    Duration backOff(int attempt) {
        Duration full = FIRST_WAIT.multipliedBy(1L << Math.min(attempt - 1, 10));
        Duration bounded = full.compareTo(LONGEST_WAIT) < 0 ? full : LONGEST_WAIT;
        return Duration.ofMillis(Math.round(bounded.toMillis() * (1 - random.getAsDouble() / 2)));
    }

    /** Reads a {@code Retry-After} header: seconds or a date. */
    Optional<Duration> parseRetryAfter(String value) {
        try {
            return Optional.of(seconds(Double.parseDouble(value.strip())));
        } catch (NumberFormatException e) {
            // may be a date
        }
        try {
            Instant until =
                    ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            Duration wait = Duration.between(clock.instant(), until);
            return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    static Duration seconds(double seconds) {
        double bounded = Double.isNaN(seconds) ? 0 : Math.clamp(seconds, 0, 1e9);
        return Duration.ofMillis(Math.round(bounded * 1000));
    }
}
