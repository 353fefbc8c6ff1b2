package dev.satchel.server.runlog;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A line that several consecutive lines with text were merged into.
 *
 * @param seq the number of the last of them
 * @param parts the length of the text of each, so that a reader can continue in between
 */
record MergedDelta(long seq, String body, String parts) {
    /** A line must stay small enough for a stream. */
    private static final int MAX_CHARACTERS = 32 * 1024;

    private static final String TEXT = "text";
    private static final Set<String> FIELDS = Set.of("type", TEXT, "id", "stream", "ts");
    private static final String SEPARATOR = ",";

    /**
     * Merges lines with consecutive numbers that continue the same text; a line that has other
     * fields stays as it is.
     */
    static List<MergedDelta> merge(List<RunLogLine> lines) {
        List<MergedDelta> merged = new ArrayList<>();
        Group group = new Group();
        for (RunLogLine line : lines) {
            JsonNode body = Json.MAPPER.readTree(line.body());
            boolean isPlain =
                    body.path(TEXT).isString() && FIELDS.containsAll(body.propertyNames());
            if (!isPlain || !group.continuesWith(line, body)) {
                group.addTo(merged);
                group = new Group();
            }
            if (isPlain) {
                group.add(line, (ObjectNode) body);
            }
        }
        group.addTo(merged);
        return merged;
    }

    /** The number of the first of the lines. */
    long first() {
        return seq - lengths().size() + 1;
    }

    /** The line with the text of the lines that have a greater number. */
    String after(long position) {
        long received = position - first() + 1;
        if (received <= 0) {
            return body;
        }
        int skipped = lengths().stream().limit(received).mapToInt(Integer::intValue).sum();
        ObjectNode rest = (ObjectNode) Json.MAPPER.readTree(body);
        rest.put(TEXT, rest.get(TEXT).stringValue().substring(skipped));
        return Json.MAPPER.writeValueAsString(rest);
    }

    private List<Integer> lengths() {
        return Arrays.stream(parts.split(SEPARATOR, -1)).map(Integer::valueOf).toList();
    }

    /** Lines that become one; the first gives the time. */
    private static final class Group {
        private final List<ObjectNode> bodies = new ArrayList<>();
        private int characters;
        private long last;

        boolean continuesWith(RunLogLine line, JsonNode body) {
            return bodies.isEmpty()
                    || (line.seq() == last + 1
                            && isSame(body, "type")
                            && isSame(body, "id")
                            && isSame(body, "stream")
                            && characters + body.get(TEXT).stringValue().length()
                                    <= MAX_CHARACTERS);
        }

        private boolean isSame(JsonNode body, String field) {
            return body.path(field).equals(bodies.getFirst().path(field));
        }

        void add(RunLogLine line, ObjectNode body) {
            bodies.add(body);
            characters += body.get(TEXT).stringValue().length();
            last = line.seq();
        }

        void addTo(List<MergedDelta> merged) {
            if (bodies.size() < 2) {
                return;
            }
            List<String> texts = bodies.stream().map(body -> body.get(TEXT).stringValue()).toList();
            ObjectNode whole = bodies.getFirst().deepCopy();
            whole.put(TEXT, String.join("", texts));
            merged.add(
                    new MergedDelta(
                            last,
                            Json.MAPPER.writeValueAsString(whole),
                            texts.stream()
                                    .map(text -> Integer.toString(text.length()))
                                    .collect(Collectors.joining(SEPARATOR))));
        }
    }
}
