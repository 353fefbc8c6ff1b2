package dev.satchel.tools.view;

import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.LineReader;
import dev.satchel.tools.ToolArguments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** Which lines to show, counted from 1, and how many bytes of them at most. */
record ViewRange(long first, long last, int maxBytes) {
    private static final int USUAL_BYTES = 20 * 1024;
    private static final int LARGE_BYTES = 200 * 1024;
    private static final String WRONG =
            "view_range must be [first, last] with first at least 1 and last at least first, or -1";

    static ViewRange of(ToolArguments arguments) throws InvalidArgumentException {
        boolean large = arguments.flag("forceReadLargeFiles", false);
        int bytes = large ? LARGE_BYTES : USUAL_BYTES;
        JsonNode range = arguments.find("view_range");
        if (range != null) {
            return of(range, bytes);
        }
        int offset = arguments.number("offset", 1, 1, Integer.MAX_VALUE);
        if (!arguments.has("limit")) {
            return new ViewRange(offset, Long.MAX_VALUE, bytes);
        }
        int limit = arguments.number("limit", 0, 1, Integer.MAX_VALUE);
        return new ViewRange(offset, (long) offset + limit - 1, bytes);
    }

    private static ViewRange of(JsonNode range, int bytes) throws InvalidArgumentException {
        if (!range.isArray()
                || range.size() != 2
                || !range.get(0).isIntegralNumber()
                || !range.get(1).isIntegralNumber()
                || !range.get(0).canConvertToLong()
                || !range.get(1).canConvertToLong()) {
            throw new InvalidArgumentException(WRONG);
        }
        long first = range.get(0).longValue();
        long last = range.get(1).longValue();
        if (first < 1 || (last != -1 && last < first)) {
            throw new InvalidArgumentException(WRONG);
        }
        return new ViewRange(first, last == -1 ? Long.MAX_VALUE : last, bytes);
    }

    /** Prints lines from a reader that is positioned at the first of them. */
    String print(LineReader reader, long total) throws IOException {
        StringBuilder out = new StringBuilder();
        long bytes = 0;
        long end = Math.min(last, total);
        for (long number = first; number <= end; number++) {
            String line = reader.next();
            if (line == null) {
                break; // the file shrank while we read
            }
            String shown = number + ". " + line;
            bytes += shown.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes > maxBytes && number > first) {
                return out.append(
                                "(Showing lines %d-%d of %d. Use view_range=[%d, -1] to continue.)"
                                        .formatted(first, number - 1, total, number))
                        .toString();
            }
            out.append(shown).append('\n');
        }
        out.setLength(Math.max(0, out.length() - 1));
        return out.toString();
    }
}
