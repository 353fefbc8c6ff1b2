package dev.satchel.cli.credential;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a service sends with the browser after a login.
 *
 * @param refusal why there is no code
 */
record LoginAnswer(String state, @Nullable String code, @Nullable String refusal) {

    /** From the query of an address; empty if it is not such an address. */
    static Optional<LoginAnswer> parse(String address) {
        Map<String, String> fields;
        try {
            fields = fields(new URI(address.strip()).getRawQuery());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
        String state = fields.get("state");
        String code = fields.get("code");
        String refusal = fields.getOrDefault("error_description", fields.get("error"));
        if (state == null || (code == null && refusal == null)) {
            return Optional.empty();
        }
        return Optional.of(new LoginAnswer(state, code, refusal));
    }

    /** The state that the service hands back, in the address of a login. */
    static String stateIn(String address) {
        return fields(URI.create(address).getRawQuery()).getOrDefault("state", "");
    }

    private static Map<String, String> fields(@Nullable String query) {
        Map<String, String> fields = new HashMap<>();
        if (query != null) {
            for (String field : query.split("&", -1)) {
                String[] parts = field.split("=", 2);
                if (parts.length == 2) {
                    fields.put(decoded(parts[0]), decoded(parts[1]));
                }
            }
        }
        return fields;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "***";
    }
}
