package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The storage of a tenant by kind and by chat, the largest chats first. */
public record Storage(
        long bytes,
        Use files,
        Use deletedFiles,
        Use runFiles,
        Use snapshots,
        Use assets,
        Use uploads,
        Use staged,
        @Nullable Use texts,
        List<ChatUse> chats,
        JsonNode json)
        implements ServerObject {
    public Storage {
        chats = List.copyOf(chats);
    }

    /** How many there are of a kind, and their bytes. */
    public record Use(long count, long bytes) {}

    /** A deleted one can still be brought back. */
    public record ChatUse(
            String id,
            @Nullable String title,
            boolean deleted,
            long bytes,
            Use files,
            Use deletedFiles,
            Use snapshots) {}
}
