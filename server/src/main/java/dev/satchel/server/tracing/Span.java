package dev.satchel.server.tracing;

import dev.satchel.http.tracing.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a trace that has ended.
 *
 * @param attributes texts, whole numbers and booleans
 * @param error a code without content of people; null for a success
 */
record Span(
        TraceContext context,
        Kind kind,
        String name,
        Instant start,
        Instant end,
        Map<String, Object> attributes,
        @Nullable String error) {
    Span {
        attributes = Map.copyOf(attributes);
        end = end.isBefore(start) ? start : end;
    }

    /** With the numbers of OTLP. */
    enum Kind {
        INTERNAL(1),
        SERVER(2),
        CLIENT(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /** A span that ends now. */
    static Span ended(
            TraceContext context,
            Kind kind,
            String name,
            Instant end,
            Duration duration,
            Map<String, Object> attributes,
            @Nullable String error) {
        return new Span(context, kind, name, end.minus(duration), end, attributes, error);
    }
}
