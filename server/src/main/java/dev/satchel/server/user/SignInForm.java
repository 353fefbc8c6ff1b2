package dev.satchel.server.user;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The fields of a form that a page of ours has sent. */
record SignInForm(Map<String, String> fields) {
    private static final int MAX_BODY = 8192;

    SignInForm {
        fields = Map.copyOf(fields);
    }

    static SignInForm read(Exchange exchange) throws IOException {
        String body = new String(exchange.body(MAX_BODY).readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> fields = new HashMap<>();
        for (String field : body.split("&", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), decode(field.substring(equals + 1)));
            }
        }
        return new SignInForm(fields);
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(fields.get(name)).filter(value -> !value.isBlank());
    }

    private static String decode(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("the form", "has an invalid escape");
        }
    }
}
