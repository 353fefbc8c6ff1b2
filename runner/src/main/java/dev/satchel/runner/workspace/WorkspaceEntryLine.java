package dev.satchel.runner.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry of a workspace on the wire, one JSON object a line; times to the nanosecond. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorkspaceEntryLine(
        @Nullable String path,
        FileStat.Kind kind,
        long size,
        String modified,
        String changed,
        int mode,
        int links,
        long inode,
        @Nullable String target) {

    /** {@code target} is what a link says. */
    public static WorkspaceEntryLine of(WorkspaceEntry entry, @Nullable String target) {
        return of(entry.path().value(), entry.stat(), target);
    }

    /** Of an entry whose path both sides know. */
    public static WorkspaceEntryLine of(FileStat stat, @Nullable String target) {
        return of(null, stat, target);
    }

    public static WorkspaceEntryLine parse(String json) {
        return Json.MAPPER.readValue(json, WorkspaceEntryLine.class);
    }

    public String json() {
        return Json.MAPPER.writeValueAsString(this);
    }

    public FileStat stat() {
        return new FileStat(
                kind, size, Instant.parse(modified), Instant.parse(changed), mode, links, inode);
    }

    public WorkspaceEntry entry() {
        return new WorkspaceEntry(workspacePath(), stat());
    }

    WorkspacePath workspacePath() {
        return new WorkspacePath(path == null ? "" : path);
    }

    private static WorkspaceEntryLine of(
            @Nullable String path, FileStat stat, @Nullable String target) {
        return new WorkspaceEntryLine(
                path,
                stat.kind(),
                stat.size(),
                stat.modified().toString(),
                stat.changed().toString(),
                stat.mode(),
                stat.links(),
                stat.inode(),
                target);
    }
}
