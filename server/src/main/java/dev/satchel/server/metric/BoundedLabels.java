package dev.satchel.server.metric;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Values that runners choose, as labels: a runner of another vendor must not fill the memory of
 * this server with series. Thread-safe.
 */
final class BoundedLabels {
    static final String OTHER = "other";
    static final int MAX_VALUES = 64;

    private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,49}");

    private final Set<String> known = new HashSet<>(); // guarded by this

    /** The value, or {@code other} for one that is no code, or beyond the number of values. */
    synchronized String of(String value) {
        if (known.contains(value)) {
            return value;
        }
        if (known.size() >= MAX_VALUES || !CODE.matcher(value).matches()) {
            return OTHER;
        }
        known.add(value);
        return value;
    }
}
