package dev.satchel.http.multipart;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Parses the parameters of a header: {@code form-data; name="f"; filename="a;b.txt"}. The names are
 * in lower case. An extended parameter ({@code filename*=UTF-8''...}, RFC 8187) is decoded, and
 * replaces the plain one of the same name.
 */
final class HeaderParameters {
    private final String header;
    private int position;

    private HeaderParameters(String header) {
        this.header = header;
    }

    static Map<String, String> parse(String header) {
        HeaderParameters parser = new HeaderParameters(header);
        Map<String, String> plain = new HashMap<>();
        Map<String, String> extended = new HashMap<>();
        while (parser.position < header.length()) {
            parser.readParameter(plain, extended);
        }
        plain.putAll(extended);
        return plain;
    }

    private void readParameter(Map<String, String> plain, Map<String, String> extended) {
        String name = readUntil("=;").toLowerCase(Locale.ROOT);
        if (position == header.length() || header.charAt(position++) == ';') {
            return; // a word without a value, such as "form-data"
        }
        String value = readValue();
        if (name.endsWith("*")) {
            decode(value).ifPresent(v -> extended.put(name.substring(0, name.length() - 1), v));
        } else {
            plain.put(name, value);
        }
    }

    private String readValue() {
        while (position < header.length() && header.charAt(position) == ' ') {
            position++;
        }
        boolean quoted = position < header.length() && header.charAt(position) == '"';
        String value = quoted ? readQuoted() : readUntil(";");
        readUntil(";");
        position++;
        return value;
    }

    /**
     * Only {@code \"} is an escape: browsers send a backslash as it is, so a path of Windows must
     * not lose its separators.
     */
    private String readQuoted() {
        StringBuilder value = new StringBuilder();
        for (position++; position < header.length(); position++) {
            char c = header.charAt(position);
            if (c == '"') {
                position++;
                break;
            }
            if (header.startsWith("\\\"", position)) {
                c = '"';
                position++;
            }
            value.append(c);
        }
        return value.toString();
    }

    private String readUntil(String ends) {
        int start = position;
        while (position < header.length() && ends.indexOf(header.charAt(position)) < 0) {
            position++;
        }
        return header.substring(start, position).strip();
    }

    /** Empty when the value is not {@code charset'language'percent-encoded}. */
    private static Optional<String> decode(String value) {
        String[] fields = value.split("'", 3);
        if (fields.length < 3) {
            return Optional.empty();
        }
        try {
            return Optional.of(new String(percentDecode(fields[2]), Charset.forName(fields[0])));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return Optional.empty();
        }
    }

    private static byte[] percentDecode(String text) {
        byte[] source = text.getBytes(StandardCharsets.UTF_8);
        byte[] decoded = new byte[source.length];
        int length = 0;
        for (int i = 0; i < source.length; i++) {
            boolean escape =
                    source[i] == '%'
                            && i + 2 < source.length
                            && HexFormat.isHexDigit(source[i + 1])
                            && HexFormat.isHexDigit(source[i + 2]);
            if (escape) {
                int high = HexFormat.fromHexDigit(source[i + 1]);
                decoded[length++] = (byte) (high << 4 | HexFormat.fromHexDigit(source[i + 2]));
                i += 2;
            } else {
                decoded[length++] = source[i];
            }
        }
        return Arrays.copyOf(decoded, length);
    }
}
