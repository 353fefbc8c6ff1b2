package dev.satchel.server.node;

import java.util.UUID;
import java.util.regex.Pattern;

/** One data folder among those that share a database; it outlives the process. */
public record NodeId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f-]{36}");

    public NodeId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a node's id");
        }
    }

    public static NodeId random() {
        return new NodeId(UUID.randomUUID().toString());
    }
}
