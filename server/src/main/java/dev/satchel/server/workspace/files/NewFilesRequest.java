package dev.satchel.server.workspace.files;

import dev.satchel.http.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/sessions/{id}/files}: files to write to the workspace. */
record NewFilesRequest(List<NewFile> files, @Nullable String targetPath) {
    private static final int MAX_FILES = 500;

    NewFilesRequest {
        files = List.copyOf(Fields.required("files", files));
        if (files.isEmpty() || files.size() > MAX_FILES) {
            throw Fields.invalid("files", "must hold 1 to " + MAX_FILES + " files");
        }
    }

    /** One file, its content in base64. */
    record NewFile(String path, String content) {
        NewFile {
            Fields.required("files.path", path);
            Fields.required("files.content", content);
        }
    }

    /** The path in the workspace, with which a client can read the file afterwards. */
    String pathOf(NewFile file) {
        return targetPath == null || targetPath.isEmpty()
                ? file.path()
                : targetPath + "/" + file.path();
    }
}
