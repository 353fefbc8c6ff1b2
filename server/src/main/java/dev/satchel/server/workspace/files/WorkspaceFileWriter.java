package dev.satchel.server.workspace.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.http.SatchelException;
import dev.satchel.server.workspace.SessionErrors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes files to a workspace. A refused file does not stop the others. */
final class WorkspaceFileWriter {
    private static final long MAX_FILE_BYTES = 50L * 1024 * 1024;
    private static final long MAX_BATCH_BYTES = 100L * 1024 * 1024;

    private final SafeDirectory directory;
    private long written;

    WorkspaceFileWriter(SafeDirectory directory) {
        this.directory = directory;
    }

    /** The result for one file. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Outcome(String path, boolean written, @Nullable Long size, @Nullable String error) {
        static Outcome refused(String path, String error) {
            return new Outcome(path, false, null, error);
        }
    }

    List<Outcome> write(NewFilesRequest batch) throws IOException {
        List<Outcome> outcomes = new ArrayList<>();
        for (NewFilesRequest.NewFile file : batch.files()) {
            outcomes.add(write(batch.pathOf(file), file.content()));
        }
        return outcomes;
    }

    private Outcome write(String path, String base64) throws IOException {
        try {
            RequestedPath target = RequestedPath.parse(path);
            byte[] content = Base64.getDecoder().decode(base64);
            if (content.length > MAX_FILE_BYTES) {
                throw SessionErrors.tooLarge(content.length, MAX_FILE_BYTES);
            }
            if (written + content.length > MAX_BATCH_BYTES) {
                return Outcome.refused(path, "Batch size limit exceeded");
            }
            if (target.path().isRoot() || target.isDirectoryRequest()) {
                throw SessionErrors.notAFile();
            }
            directory.write(target.path(), content);
            written += content.length;
            return new Outcome(path, true, (long) content.length, null);
        } catch (SatchelException e) {
            return Outcome.refused(path, e.text());
        } catch (IllegalArgumentException e) {
            return Outcome.refused(path, "Content is not base64");
        } catch (IrregularFileException e) {
            return Outcome.refused(path, SessionErrors.notAFile().text());
        } catch (FileSystemException e) { // its message has paths of this server
            return Outcome.refused(path, SessionErrors.invalidPath().text());
        }
    }
}
