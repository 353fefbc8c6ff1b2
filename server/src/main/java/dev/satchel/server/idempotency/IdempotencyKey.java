package dev.satchel.server.idempotency;

import dev.satchel.http.Fields;
import dev.satchel.http.security.Sha256;
import java.util.regex.Pattern;

/** The key of a write request. A repeated request with the same key is not executed again. */
record IdempotencyKey(String value) {
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    IdempotencyKey {
        if (!FORM.matcher(value).matches()) {
            throw Fields.invalid("Idempotency-Key", "must be 1 to 255 printable characters");
        }
    }

    /** Without quotes, as most clients send it, or with them, as in the draft of the standard. */
    static IdempotencyKey parse(String header) {
        String text = header.strip();
        boolean quoted = text.length() > 2 && text.startsWith("\"") && text.endsWith("\"");
        return new IdempotencyKey(quoted ? text.substring(1, text.length() - 1) : text);
    }

    /** The key of its row. */
    String hash() {
        return Sha256.hex("row\n" + value);
    }

    /** Encrypts the stored response. The database does not have the key. */
    ResponseCipher cipher() {
        return new ResponseCipher(Sha256.of("seal\n" + value));
    }
}
