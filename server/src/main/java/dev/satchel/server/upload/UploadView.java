package dev.satchel.server.upload;

import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.FileId;
import dev.satchel.server.bag.StoredFile;
import java.util.List;

/** What an upload answers. */
record UploadView(String sessionId, List<FileView> files) {
    UploadView {
        files = List.copyOf(files);
    }

    /** One file of it. */
    record FileView(
            String fileId,
            String filename,
            String mimeType,
            long size,
            String sha256,
            String kind) {
        static FileView of(FileId id, StoredFile file) {
            return new FileView(
                    id.value(),
                    file.name(),
                    file.mimeType(),
                    file.size(),
                    file.sha256(),
                    FileKind.of(file.mimeType()).wireName());
        }

        static FileView of(BagFile file) {
            return of(file.id(), file.stored());
        }
    }
}
