package dev.satchel.documents.mail;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.util.ByteSequence;
import org.apache.james.mime4j.util.MimeUtil;
import org.jspecify.annotations.Nullable;

/** The header fields of a message or of a part of it. */
final class MailHeaders {
    private static final int LONGEST_VALUE = 64 * 1024;
    private static final Pattern PARAMETER =
            Pattern.compile(";\\s*([A-Za-z0-9*_-]+)\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|[^;\\s]*)");

    private final Map<String, String> values = new LinkedHashMap<>();

    void add(Field field) {
        String value = decode(field);
        values.putIfAbsent(
                field.getName().toLowerCase(Locale.ROOT),
                value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) : value);
    }

    /** The value with encoded words decoded; empty if there is none. */
    String get(String name) {
        String value = values.getOrDefault(name, "");
        return DecoderUtil.decodeEncodedWords(value, DecodeMonitor.SILENT)
                .replaceAll("\\s+", " ")
                .strip();
    }

    boolean isAttachment() {
        String disposition = values.getOrDefault("content-disposition", "");
        return disposition.strip().toLowerCase(Locale.ROOT).startsWith("attachment");
    }

    /** The name of an attachment, null if it has none. */
    @Nullable String filename() {
        String name = parameter("content-disposition", "filename");
        return name == null ? parameter("content-type", "name") : name;
    }

    /** A parameter as RFC 2231 writes it, also in pieces, or as an encoded word. */
    private @Nullable String parameter(String header, String name) {
        StringBuilder pieces = new StringBuilder();
        String charset = "UTF-8";
        Matcher parameters = PARAMETER.matcher(values.getOrDefault(header, ""));
        while (parameters.find()) {
            String found = parameters.group(1).toLowerCase(Locale.ROOT);
            String value = unquoted(parameters.group(2));
            if (found.equals(name)) {
                return DecoderUtil.decodeEncodedWords(value, DecodeMonitor.SILENT);
            }
            if (found.startsWith(name + "*")) {
                String encoded = value;
                boolean isFirst = found.equals(name + "*") || found.startsWith(name + "*0");
                if (isFirst && found.endsWith("*") && value.indexOf('\'') >= 0) {
                    charset = value.substring(0, value.indexOf('\''));
                    encoded = value.substring(value.lastIndexOf('\'') + 1);
                }
                pieces.append(found.endsWith("*") ? percentDecoded(encoded, charset) : encoded);
            }
        }
        return pieces.isEmpty() ? null : pieces.toString();
    }

    private static String unquoted(String value) {
        if (!value.startsWith("\"") || value.length() < 2) {
            return value;
        }
        return value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1");
    }

    private static String percentDecoded(String value, String charset) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), charset(charset));
        } catch (IllegalArgumentException _) {
            return value;
        }
    }

    /** The encoding with a name that a stranger chose. */
    static Charset charset(@Nullable String name) {
        try {
            return name != null && Charset.isSupported(name.strip())
                    ? Charset.forName(name.strip())
                    : StandardCharsets.UTF_8;
        } catch (IllegalCharsetNameException _) {
            return StandardCharsets.UTF_8;
        }
    }

    /** Fields are ASCII, but many senders write UTF-8. */
    private static String decode(Field field) {
        ByteSequence raw = field.getRaw();
        if (raw == null) {
            return String.valueOf(field.getBody());
        }
        String line = new String(raw.toByteArray(), StandardCharsets.UTF_8);
        return MimeUtil.unfold(line.substring(line.indexOf(':') + 1)).strip();
    }
}
