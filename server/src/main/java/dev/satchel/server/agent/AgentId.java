package dev.satchel.server.agent;

import dev.satchel.http.Exchange;
import java.util.UUID;
import java.util.regex.Pattern;

/** A UUID in lower case. */
public record AgentId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f-]{36}");

    public AgentId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not an agent id");
        }
    }

    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    static AgentId random() {
        return new AgentId(UUID.randomUUID().toString());
    }

    /** The {@code id} of the path; one that is not well-formed is answered like an unknown one. */
    public static AgentId of(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!isValid(id)) {
            throw AgentService.noSuchAgent();
        }
        return new AgentId(id);
    }
}
