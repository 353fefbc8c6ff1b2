package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.workspace.SessionErrors;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The end of a page: its last path, so that it stays valid when files are added or removed. */
final class PathCursor {
    private PathCursor() {}

    static String of(String path) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(path.getBytes(StandardCharsets.UTF_8));
    }

    static WorkspacePath parse(String cursor) {
        try {
            return new WorkspacePath(
                    new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw SessionErrors.invalid("querystring/cursor is not one that a listing gave");
        }
    }
}
