package dev.satchel.tools.grep;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects results from an offset on, up to a number and a size, and reports what is left out. */
final class GrepReport {
    static final String TOO_LONG = "took too long";
    static final String TOO_MANY = "found too much";

    private static final int MAX_BYTES = 20 * 1024;

    private final int offset;
    private final int limit;
    private final StringBuilder out = new StringBuilder();
    private int bytes;
    private int seen;
    private int shown;
    private boolean full;
    private @Nullable String stopReason;
    private final List<String> notes = new ArrayList<>();

    GrepReport(GrepRequest.Format format) {
        this.offset = format.offset();
        this.limit = format.limit();
    }

    /** Whether the next result would be shown. */
    boolean wantsNext() {
        return !full && seen >= offset && shown < limit;
    }

    /** Adds a result, which may be several lines; false when no further one is needed. */
    boolean add(String result) {
        boolean wanted = wantsNext();
        seen++;
        if (!wanted) {
            return seen <= offset;
        }
        int size = result.getBytes(StandardCharsets.UTF_8).length + 1;
        if (bytes + size > MAX_BYTES && shown > 0) {
            full = true;
            return false;
        }
        bytes += size;
        shown++;
        out.append(result).append('\n');
        return true;
    }

    /** Whether one more result than can be shown was added, so that the search can end. */
    boolean complete() {
        return full || seen > offset + limit;
    }

    /** The search ended early. */
    void stopped(String reason) {
        stopReason = reason;
    }

    /** Something that was not searched. */
    void note(String sentence) {
        notes.add(sentence);
    }

    String text() {
        String notRead =
                notes.stream().map(note -> "\n(" + note + ")").collect(Collectors.joining());
        if (shown == 0 && stopReason == null) {
            return (seen == 0
                            ? "No matches found."
                            : "No matches found from offset "
                                    + offset
                                    + " on; there are "
                                    + seen
                                    + ".")
                    + notRead;
        }
        if (full || seen > offset + shown) {
            out.append(
                    "(Showing %d-%d of at least %d results. Use offset=%d to continue.)\n"
                            .formatted(offset + 1, offset + shown, seen, offset + shown));
        }
        if (stopReason != null) {
            out.append("(The search ")
                    .append(stopReason)
                    .append(" and was stopped; there may be more.)\n");
        }
        return out.substring(0, out.length() - 1) + notRead;
    }
}
