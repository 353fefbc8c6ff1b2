package dev.satchel.http;

import java.time.Duration;

/**
 * Called after every request. {@code route} is the path template, so that it can label a metric.
 */
@FunctionalInterface
public interface RequestObserver {
    void answered(String method, String route, int status, Duration duration);
}
