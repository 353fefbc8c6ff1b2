package dev.satchel.server.credential;

import dev.satchel.http.Fields;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of a credential, unique in its tenant. */
public record CredentialName(String value) {
    private static final Pattern VALID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    public CredentialName {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not the name of a credential");
        }
    }

    public static boolean isValid(String name) {
        return VALID.matcher(name).matches();
    }

    /** The name in a field of a request. */
    static CredentialName ofField(String field, @Nullable String name) {
        String given = Fields.required(field, name);
        if (!isValid(given)) {
            throw Fields.invalid(
                    field,
                    "must have 1 to 64 characters: a to z, 0 to 9, and after the first . _ -");
        }
        return new CredentialName(given);
    }
}
