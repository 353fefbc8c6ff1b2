package dev.satchel.http;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A path with {@code {name}} for one segment and, at its end, {@code {name*}} for the rest. Values
 * are percent-decoded once.
 */
record PathTemplate(String text, List<String> segments) implements Comparable<PathTemplate> {
    static PathTemplate of(String text) {
        return new PathTemplate(text, List.of(text.substring(1).split("/", -1)));
    }

    Optional<Map<String, String>> match(String path) {
        if (!path.startsWith("/")) { // such as the empty path of "GET ?a"
            return Optional.empty();
        }
        String[] given = path.substring(1).split("/", -1);
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (segment.endsWith("*}")) {
                return rest(path, i)
                        .map(
                                value -> {
                                    values.put(name(segment, 2), decode(value));
                                    return values;
                                });
            }
            if (i >= given.length || !matches(segment, given[i])) {
                return Optional.empty();
            }
            if (segment.startsWith("{")) {
                values.put(name(segment, 1), decode(given[i]));
            }
        }
        return given.length == segments.size() ? Optional.of(values) : Optional.empty();
    }

    /** Literal segments before parameters, parameters before {@code {name*}}. */
    @Override
    public int compareTo(PathTemplate other) {
        return rank().compareTo(other.rank());
    }

    private String rank() {
        StringBuilder rank = new StringBuilder();
        for (String segment : segments) {
            rank.append(segment.endsWith("*}") ? '2' : segment.startsWith("{") ? '1' : '0')
                    .append(segment)
                    .append('/');
        }
        return rank.toString();
    }

    private static boolean matches(String segment, String given) {
        return segment.startsWith("{") ? !given.isEmpty() : segment.equals(given);
    }

    private static String name(String segment, int suffix) {
        return segment.substring(1, segment.length() - suffix);
    }

    private static Optional<String> rest(String path, int segmentIndex) {
        int position = 0;
        for (int i = 0; i <= segmentIndex; i++) {
            position = path.indexOf('/', position) + 1;
            if (position == 0) {
                return Optional.empty();
            }
        }
        return Optional.of(path.substring(position));
    }

    /** Stricter than URLDecoder: a plus is a plus, and bytes that are not UTF-8 are refused. */
    static String decode(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        try {
            byte[] bytes =
                    URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                            .getBytes(StandardCharsets.ISO_8859_1);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new SatchelException(
                    ErrorCode.INVALID_REQUEST, "the path is not a valid url component");
        }
    }
}
