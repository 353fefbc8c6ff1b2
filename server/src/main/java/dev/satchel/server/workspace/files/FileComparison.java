package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares two versions of a file; what is not text or too large is compared by its bytes only. */
final class FileComparison {
    private final long maxBytes;

    /**
     * @param maxBytes of one version whose text is compared
     */
    FileComparison(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    enum Status {
        ADDED,
        REMOVED,
        CHANGED,
        UNCHANGED
    }

    /**
     * How a file differs.
     *
     * @param binary whether a version is no text
     * @param tooLarge whether a version has more bytes than are compared as text
     * @param hunks of a unified diff; null if there are none for one of these reasons
     */
    record Outcome(Status status, boolean binary, boolean tooLarge, @Nullable String hunks) {}

    /** A version of the file; its bytes as a buffer, which is empty if it is too large. */
    private record Version(String etag, ByteBuffer bytes, boolean isTooLarge) {}

    Outcome compare(WorkspaceView before, WorkspaceView after, WorkspacePath path)
            throws IOException {
        Optional<Version> earlier = read(before, path);
        Optional<Version> later = read(after, path);
        if (earlier.isEmpty() && later.isEmpty()) {
            throw SessionErrors.noSuchFile();
        }
        ByteBuffer none = ByteBuffer.allocate(0);
        ByteBuffer one = earlier.map(Version::bytes).orElse(none);
        ByteBuffer other = later.map(Version::bytes).orElse(none);
        boolean tooLarge =
                earlier.filter(Version::isTooLarge).isPresent()
                        || later.filter(Version::isTooLarge).isPresent();
        Status status = status(earlier, later, !tooLarge && one.equals(other));
        if (tooLarge) {
            return new Outcome(status, false, true, null);
        }
        Optional<String> text = text(one);
        Optional<String> otherText = text(other);
        if (text.isEmpty() || otherText.isEmpty()) {
            return new Outcome(status, true, false, null);
        }
        return new Outcome(status, false, false, UnifiedDiff.of(text.get(), otherText.get()));
    }

    /** Of large versions the entity tags are compared, which are hashes in snapshots. */
    private static Status status(
            Optional<Version> earlier, Optional<Version> later, boolean sameBytes) {
        if (earlier.isEmpty()) {
            return Status.ADDED;
        }
        if (later.isEmpty()) {
            return Status.REMOVED;
        }
        return sameBytes || earlier.get().etag().equals(later.get().etag())
                ? Status.UNCHANGED
                : Status.CHANGED;
    }

    private Optional<Version> read(WorkspaceView view, WorkspacePath path) throws IOException {
        try (WorkspaceFile file = view.open(path)) {
            if (file.size() > maxBytes) {
                return Optional.of(new Version(file.etag(), ByteBuffer.allocate(0), true));
            }
            try (InputStream content = file.open(0, file.size())) {
                byte[] bytes = content.readNBytes(Math.toIntExact(file.size()));
                return Optional.of(new Version(file.etag(), ByteBuffer.wrap(bytes), false));
            }
        } catch (FileSystemException e) {
            return Optional.empty(); // there is none, or it is a directory
        }
    }

    private static Optional<String> text(ByteBuffer bytes) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate()).toString();
            return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
