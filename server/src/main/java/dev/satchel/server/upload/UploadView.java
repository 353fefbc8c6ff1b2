package dev.satchel.server.upload;

import dev.satchel.server.bag.BagFile;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import java.util.List;

/** The response to an upload. */
public record UploadView(String sessionId, List<FileView> files) {
    public UploadView {
        files = List.copyOf(files);
    }

    /** One uploaded file. */
    public record FileView(
            String fileId,
            String filename,
            String mimeType,
            long size,
            String sha256,
            String kind) {
        public static FileView of(FileId id, StoredFile file) {
            return new FileView(
                    id.value(),
                    file.name(),
                    file.mimeType(),
                    file.size(),
                    file.sha256(),
                    FileKind.of(file.mimeType()).wireName());
        }

        public static FileView of(BagFile file) {
            return of(file.id(), file.stored());
        }
    }
}
