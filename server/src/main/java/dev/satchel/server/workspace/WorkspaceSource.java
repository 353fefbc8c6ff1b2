package dev.satchel.server.workspace;

/** What a workspace was read from: {@code source} and {@code X-Ash-Source} on the wire. */
public enum WorkspaceSource {
    LIVE("sandbox"),
    SNAPSHOT("snapshot");

    private final String wireName;

    WorkspaceSource(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
