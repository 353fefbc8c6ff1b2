package dev.satchel.server.run;

import java.util.UUID;

/** One server process among those on the same database; a new one after each start. */
public record ServerProcessId(String value) {
    public ServerProcessId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("empty id of a server process");
        }
    }

    public static ServerProcessId random() {
        return new ServerProcessId(UUID.randomUUID().toString());
    }
}
