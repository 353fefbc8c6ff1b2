package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file inside a message, as base64. */
public record InlineFile(String name, String base64) {
    private static final Pattern CHAT_FILE =
            Pattern.compile(".*/api/assistant/chats/[0-9a-f-]{36}/files/([0-9a-f-]{36})");

    /** From a {@code data:} URL; its bytes are in base64, or plain and percent-encoded. */
    public static InlineFile ofDataUrl(String name, String url) {
        int comma = url.indexOf(',');
        if (comma < 0) {
            throw Fields.invalid("url", "is not a data: URL with content");
        }
        String content = url.substring(comma + 1);
        if (url.substring(0, comma).endsWith(";base64")) {
            return new InlineFile(name, content);
        }
        return new InlineFile(name, Base64.getEncoder().encodeToString(decoded(content)));
    }

    /**
     * The file's id, when a URL is that of a file of a chat here. Other addresses are never
     * fetched.
     */
    public static Optional<String> idOf(String url) {
        Matcher matcher = CHAT_FILE.matcher(url);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static byte[] decoded(String percentEncoded) {
        try {
            return URLDecoder.decode(percentEncoded.replace("+", "%2B"), StandardCharsets.UTF_8)
                    .getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("url", "is not a valid data: URL");
        }
    }

    public byte[] bytes() {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("url", "is not base64");
        }
    }
}
