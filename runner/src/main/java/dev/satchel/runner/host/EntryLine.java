package dev.satchel.runner.host;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.Json;
import dev.satchel.runner.workspace.FileStat;
import dev.satchel.runner.workspace.WorkspaceEntry;
import dev.satchel.runner.workspace.WorkspacePath;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An entry of a workspace on the wire, one JSON object a line; times to the nanosecond. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EntryLine(
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
    public static EntryLine of(WorkspaceEntry entry, @Nullable String target) {
        return of(entry.path().value(), entry.stat(), target);
    }

    /** Of an entry whose path both sides know. */
    public static EntryLine of(FileStat stat, @Nullable String target) {
        return of(null, stat, target);
    }

    public static EntryLine parse(String json) {
        return Json.MAPPER.readValue(json, EntryLine.class);
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

    private static EntryLine of(@Nullable String path, FileStat stat, @Nullable String target) {
        return new EntryLine(
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
