package dev.satchel.http;

import java.time.Duration;

/**
 * Hears of every answered request; {@code route} is the template, so that it can label a metric.
 */
@FunctionalInterface
public interface RequestObserver {
    void answered(String method, String route, int status, Duration duration);
}
