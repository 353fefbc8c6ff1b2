package dev.satchel.server.tracing;

import java.net.URI;
import java.util.Map;

/**
 * Where spans are sent.
 *
 * @param traces the address that receives spans, such as {@code http://collector:4318/v1/traces}
 * @param headers of every request; they may hold a secret
 * @param service the name of this service in traces
 * @param maxQueued how many spans may wait to be sent; more are dropped
 */
public record TracingSettings(
        URI traces, Map<String, String> headers, String service, int maxQueued) {
    public TracingSettings {
        headers = Map.copyOf(headers);
    }

    /** Does not show the headers. */
    @Override
    public String toString() {
        return "TracingSettings[" + traces + ", " + service + "]";
    }
}
