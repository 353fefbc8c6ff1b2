package dev.satchel.server.upload.tus;

import dev.satchel.server.file.ContentTypeDetector;
import dev.satchel.server.file.IncomingFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.objectstore.Sha256InputStream;
import dev.satchel.server.objectstore.StoredObject;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadReceiver;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.tus.TusStore.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Makes one object of a completely received upload: a single object is moved to its key, several
 * are joined by copying. Of two servers that do this at the same time, one updates the row.
 */
final class TusCompletion {
    private final UploadService uploads;
    private final PendingDeletions deletions;
    private final TusStore store;

    TusCompletion(UploadService uploads, PendingDeletions deletions, TusStore store) {
        this.uploads = uploads;
        this.deletions = deletions;
        this.store = store;
    }

    /** Reads the file once more when its hash is not known. */
    void complete(TusUpload whole, Optional<String> hash) throws IOException {
        List<Part> parts = uploads.database().read(tx -> store.parts(tx, whole.upload().id()));
        if (parts.stream().mapToLong(Part::size).sum() != whole.length()) {
            return; // another server has just completed it and deleted the rows of its chunks
        }
        arrive(
                parts.size() == 1
                        ? moved(whole.upload(), parts.getFirst(), hash)
                        : joined(whole.upload(), parts));
        if (whole.isFinal()) {
            uploads.remove(
                    uploads.database()
                            .read(tx -> store.partials(tx, whole.upload(), whole.parts())));
        }
    }

    /** When the object is gone, a server has moved it and crashed before it updated the row. */
    private Upload moved(Upload upload, Part part, Optional<String> hash) throws IOException {
        ObjectStore objects = uploads.objects();
        ObjectKey place = upload.file().key();
        if (objects.size(part.key()).isPresent()) {
            objects.move(part.key(), place);
        }
        String sha256 = hash.isPresent() ? hash.get() : hash(place);
        try (InputStream head = objects.open(place, 0, ContentTypeDetector.HEAD_BYTES)) {
            String type = ContentTypeDetector.detect(upload.file().name(), head.readAllBytes());
            return UploadReceiver.withContent(upload, type, new StoredObject(part.size(), sha256));
        }
    }

    private Upload joined(Upload upload, List<Part> parts) throws IOException {
        try (InputStream content = new ChunkInputStream(uploads.objects(), parts)) {
            IncomingFile incoming =
                    IncomingFile.of(upload.file().name(), content, uploads.limits().maxFileBytes());
            StoredObject stored = uploads.objects().put(upload.file().key(), incoming.content());
            return UploadReceiver.withContent(upload, incoming.mimeType(), stored);
        }
    }

    private void arrive(Upload whole) {
        long now = uploads.clock().millis();
        uploads.database()
                .change(
                        tx -> {
                            if (!uploads.store().arrive(tx, whole.id(), whole.file(), now)) {
                                uploads.deleteIfRemoved(tx, whole);
                                return;
                            }
                            uploads.requireByteLimit(tx, whole.tenant(), whole.session());
                            uploads.store().dropParts(tx, whole.id());
                            deletions.addAllBeneath(tx, whole.partPrefix());
                            uploads.audit().add(tx, UploadReceiver.arrival(whole), now);
                        });
        deletions.runNewest();
    }

    private String hash(ObjectKey key) throws IOException {
        try (Sha256InputStream content = new Sha256InputStream(uploads.objects().open(key))) {
            content.transferTo(OutputStream.nullOutputStream());
            return content.sha256();
        }
    }
}
