package dev.satchel.server.idempotency;

import dev.satchel.http.Fields;
import dev.satchel.http.security.Sha256;
import java.util.regex.Pattern;

/** What a client names one write by, so that sending it again is no second one. */
record IdempotencyKey(String value) {
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7e]{1,255}");

    IdempotencyKey {
        if (!FORM.matcher(value).matches()) {
            throw Fields.invalid("Idempotency-Key", "must be 1 to 255 printable characters");
        }
    }

    /** Bare, as most clients send it, or in quotes, as the draft of the standard has it. */
    static IdempotencyKey parse(String header) {
        String text = header.strip();
        boolean quoted = text.length() > 2 && text.startsWith("\"") && text.endsWith("\"");
        return new IdempotencyKey(quoted ? text.substring(1, text.length() - 1) : text);
    }

    /** Finds the row. */
    String hash() {
        return Sha256.hex("row\n" + value);
    }

    /** Opens the answer in it: whoever reads the database does not have this. */
    ResponseCipher seal() {
        return new ResponseCipher(Sha256.of("seal\n" + value));
    }
}
