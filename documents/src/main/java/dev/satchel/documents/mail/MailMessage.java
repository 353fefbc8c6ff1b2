package dev.satchel.documents.mail;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message while it is read: its header, and its bodies. */
final class MailMessage {
    private static final long MAX_CHARS = 64L * 1024 * 1024;

    private final Deque<Multipart> open = new ArrayDeque<>();
    private final List<Body> bodies = new ArrayList<>();
    private @Nullable MailHeaders headers;
    private long chars;

    /** A text of the message, as plain text or HTML. */
    record Body(boolean isHtml, String text) {}

    /** A part with parts; in an alternative one of them is enough. */
    private static final class Multipart {
        final boolean isAlternative;
        boolean hasPlainText;

        Multipart(boolean isAlternative) {
            this.isAlternative = isAlternative;
        }
    }

    /** The first header is that of the message; others are of its parts. */
    boolean takeHeaders(MailHeaders found) {
        if (headers != null) {
            return false;
        }
        headers = found;
        return true;
    }

    MailHeaders headers() {
        return headers == null ? new MailHeaders() : headers;
    }

    List<Body> bodies() {
        return List.copyOf(bodies);
    }

    void enter(@Nullable String subType) {
        open.push(new Multipart("alternative".equalsIgnoreCase(subType)));
    }

    void leave() {
        open.pollFirst();
    }

    /** Whether an HTML body says again what a plain one has said. */
    boolean hasPlainText() {
        return open.stream().anyMatch(part -> part.isAlternative && part.hasPlainText);
    }

    void add(boolean isHtml, String text) throws DocumentException {
        chars += text.length();
        if (chars > MAX_CHARS) {
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The message has more than " + MAX_CHARS + " characters, which is the limit.");
        }
        if (!isHtml && !text.isBlank()) {
            open.forEach(part -> part.hasPlainText = true);
        }
        bodies.add(new Body(isHtml, text));
    }
}
