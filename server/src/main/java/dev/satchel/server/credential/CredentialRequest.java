package dev.satchel.server.credential;

import dev.satchel.http.Fields;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/credentials} and {@code PUT /api/credentials/{name}}. */
record CredentialRequest(
        @Nullable String name, @Nullable String value, @Nullable OAuthSettings oauth) {
    private static final int MAX_VALUE = 16_384;

    /** What a header can carry. */
    private static final Pattern VISIBLE = Pattern.compile("[\\x20-\\x7e]+");

    /** A request has a value or the settings of OAuth. */
    CredentialRequest {
        if (value != null && oauth != null) {
            throw Fields.invalid("oauth", "cannot stand beside value");
        }
    }

    CredentialName requiredName() {
        return CredentialName.ofField("name", name);
    }

    /** The name is in the path of a replacement; it may be repeated in the body. */
    void requireSameName(CredentialName inPath) {
        if (name != null && !name.equals(inPath.value())) {
            throw Fields.invalid("name", "cannot be changed");
        }
    }

    String requiredValue() {
        String text = Fields.text("value", value, MAX_VALUE).strip();
        if (!VISIBLE.matcher(text).matches()) {
            throw Fields.invalid("value", "has characters that no HTTP header can carry");
        }
        return text;
    }

    @Override
    public String toString() {
        return "CredentialRequest[name=" + name + ", value=***]";
    }
}
