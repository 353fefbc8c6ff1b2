package dev.satchel.http.tracing;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A span and its trace: 16 and 8 bytes in lower-case hexadecimal digits.
 *
 * @param parentId the span of which this one is a part; null for the first of a trace
 * @param sampled whether spans of the trace are to be recorded
 */
public record TraceContext(
        String traceId, String spanId, @Nullable String parentId, boolean sampled) {
    /** The header of requests that carries a context. */
    public static final String HEADER = "traceparent";

    private static final ScopedValue<TraceContext> CURRENT = ScopedValue.newInstance();
    private static final Pattern HEX_32 = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern HEX_16 = Pattern.compile("[0-9a-f]{16}");

    /** Version, trace, span and flags; a later version may have more. */
    private static final Pattern FORMAT =
            Pattern.compile(
                    "(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private static final String ZEROS = "0".repeat(32);
    private static final String FIRST_VERSION = "00";

    public TraceContext {
        if (!HEX_32.matcher(traceId).matches() || traceId.equals(ZEROS)) {
            throw new IllegalArgumentException("not the id of a trace: " + traceId);
        }
        if (!HEX_16.matcher(spanId).matches() || ZEROS.startsWith(spanId)) {
            throw new IllegalArgumentException("not the id of a span: " + spanId);
        }
    }

    /** The context that a header carries; empty for a value that is not valid. */
    public static Optional<TraceContext> parse(String header) {
        Matcher parts = FORMAT.matcher(header);
        if (!parts.matches()
                || (parts.group(1).equals(FIRST_VERSION) && parts.group(5) != null)
                || parts.group(2).equals(ZEROS)
                || ZEROS.startsWith(parts.group(3))) {
            return Optional.empty();
        }
        boolean sampled = (Integer.parseInt(parts.group(4), 16) & 1) == 1;
        return Optional.of(new TraceContext(parts.group(2), parts.group(3), null, sampled));
    }

    /** A new trace with its first span. */
    public static TraceContext begin() {
        return new TraceContext(newId() + newId(), newId(), null, true);
    }

    /** A new span that is a part of this one. */
    public TraceContext child() {
        return child(newId());
    }

    /** A span with a known id that is a part of this one. */
    public TraceContext child(String id) {
        return new TraceContext(traceId, id, spanId, sampled);
    }

    /** The id of a span: 8 bytes that are not all zero. */
    private static String newId() {
        long id = ThreadLocalRandom.current().nextLong();
        return "%016x".formatted(id == 0 ? 1 : id);
    }

    /** The value of the header {@link #HEADER}. */
    public String header() {
        return FIRST_VERSION + "-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    /** The context in which this thread works for a request; empty without one. */
    public static Optional<TraceContext> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Does the work in this context. */
    public void run(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }
}
