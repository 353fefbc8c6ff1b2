package dev.satchel.server.workspace;

/** Where a workspace was read: {@code source} and {@code X-Ash-Source} on the wire. */
public enum Source {
    LIVE("sandbox"),
    SNAPSHOT("snapshot");

    private final String wireName;

    Source(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
