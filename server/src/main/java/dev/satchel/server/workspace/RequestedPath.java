package dev.satchel.server.workspace;

import dev.satchel.filesystem.WorkspacePath;
import java.util.Arrays;

/** A file's path as a client wrote it, and what it means. */
public record RequestedPath(String asked, WorkspacePath path) {
    /**
     * What would lead out is refused before anything is touched; dots inside a name are just dots.
     */
    public static RequestedPath parse(String asked) {
        if (asked.isEmpty()) {
            throw SessionErrors.invalid("File path required");
        }
        if (asked.startsWith("/") || Arrays.asList(asked.split("[/\\\\]", -1)).contains("..")) {
            throw SessionErrors.invalidPath();
        }
        try {
            return new RequestedPath(asked, WorkspacePath.parse(asked));
        } catch (IllegalArgumentException e) {
            throw SessionErrors.noSuchFile(); // longer than any path, or with a NUL in it
        }
    }

    /** A slash at the end asks for a directory. */
    public boolean asksForDirectory() {
        return asked.endsWith("/");
    }

    public String filename() {
        return path.name();
    }
}
