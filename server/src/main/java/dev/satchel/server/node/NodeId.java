package dev.satchel.server.node;

import java.util.UUID;
import java.util.regex.Pattern;

/** Identifies a server among those that share a database; stored in its data folder. */
public record NodeId(String value) {
    private static final Pattern FORMAT = Pattern.compile("[0-9a-f-]{36}");

    public NodeId {
        if (!FORMAT.matcher(value).matches()) {
            throw new IllegalArgumentException("not a node id");
        }
    }

    public static NodeId random() {
        return new NodeId(UUID.randomUUID().toString());
    }
}
