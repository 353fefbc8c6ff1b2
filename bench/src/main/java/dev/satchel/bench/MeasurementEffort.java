package dev.satchel.bench;

import java.time.Duration;

/**
 * How much is measured. Rows without a threshold whose rounds take long have {@code dearRounds},
 * and some of them are measured only when there are {@code extras}.
 */
public record MeasurementEffort(
        String name,
        int rounds,
        int dearRounds,
        boolean extras,
        int samples,
        int warmUp,
        Duration window,
        Duration load,
        DataSizes sizes) {
    public static final MeasurementEffort FULL =
            new MeasurementEffort(
                    "full",
                    7,
                    5,
                    true,
                    100,
                    300,
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(4),
                    DataSizes.FULL);

    /** Under two minutes on an idle machine. */
    public static final MeasurementEffort QUICK =
            new MeasurementEffort(
                    "quick",
                    3,
                    1,
                    false,
                    20,
                    160,
                    Duration.ofMillis(800),
                    Duration.ofMillis(500),
                    DataSizes.QUICK);
}
