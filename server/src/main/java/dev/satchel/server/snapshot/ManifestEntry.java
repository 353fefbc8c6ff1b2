package dev.satchel.server.snapshot;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A directory, a file with its content, or a link with its target. */
public record ManifestEntry(
        WorkspacePath path, FileStat stat, @Nullable ContentRef content, @Nullable String target) {

    static ManifestEntry directory(WorkspacePath path, FileStat stat) {
        return new ManifestEntry(path, stat, null, null);
    }

    static ManifestEntry link(WorkspacePath path, FileStat stat, String target) {
        return new ManifestEntry(path, stat, null, target);
    }

    static ManifestEntry file(WorkspacePath path, FileStat stat, ContentRef content) {
        return new ManifestEntry(path, stat, content, null);
    }

    /** Where a file's bytes are. */
    public ContentRef requireContent() {
        if (content == null) {
            throw new IllegalStateException("not a file: " + path);
        }
        return content;
    }

    /** The target of a link. */
    public String requireTarget() {
        if (target == null) {
            throw new IllegalStateException("not a link: " + path);
        }
        return target;
    }

    /** Compares kind, mode, target and content, but not inode and times. */
    boolean sameAs(ManifestEntry other) {
        return stat.kind() == other.stat.kind()
                && stat.mode() == other.stat.mode()
                && Objects.equals(target, other.target)
                && Objects.equals(hash(), other.hash());
    }

    /** Whether restoring the other entry gives the same: as {@link #sameAs}, and the time. */
    boolean restoresAs(@Nullable ManifestEntry other) {
        return other != null && sameAs(other) && stat.modified().equals(other.stat.modified());
    }

    private @Nullable ContentHash hash() {
        return content == null ? null : content.hash();
    }
}
