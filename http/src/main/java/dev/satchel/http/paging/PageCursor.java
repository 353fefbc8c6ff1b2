package dev.satchel.http.paging;

import dev.satchel.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A position in a list with the newest first: the page begins after this time and id. For clients
 * it is opaque text.
 */
public record PageCursor(long time, String id) {
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{0,64}");

    public static final PageCursor START = new PageCursor(Long.MAX_VALUE, "");

    public PageCursor {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("not an id");
        }
    }

    public static PageCursor parse(String text) {
        try {
            String plain =
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
            int colon = plain.indexOf(':');
            return new PageCursor(
                    Long.parseLong(plain.substring(0, colon)), plain.substring(colon + 1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw Fields.invalid("cursor", "is not a cursor of this list");
        }
    }

    public String text() {
        String plain = time + ":" + id;
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(plain.getBytes(StandardCharsets.US_ASCII));
    }
}
