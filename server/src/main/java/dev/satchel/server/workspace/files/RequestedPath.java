package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.workspace.SessionErrors;
import java.util.Arrays;

/** The path of a file as a client sent it, and in normal form. */
public record RequestedPath(String text, WorkspacePath path) {
    /** Refuses a path that would lead out; a name may contain dots. */
    public static RequestedPath parse(String text) {
        if (text.isEmpty()) {
            throw SessionErrors.invalid("File path required");
        }
        if (text.startsWith("/") || Arrays.asList(text.split("[/\\\\]", -1)).contains("..")) {
            throw SessionErrors.invalidPath();
        }
        try {
            return new RequestedPath(text, WorkspacePath.parse(text));
        } catch (IllegalArgumentException e) {
            throw SessionErrors.noSuchFile(); // too long, or contains a NUL
        }
    }

    /** A slash at the end requests a directory. */
    public boolean isDirectoryRequest() {
        return text.endsWith("/");
    }

    public String filename() {
        return path.name();
    }
}
