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
 * Makes one file of an upload whose pieces are all there: a single object is moved to its place,
 * several are copied behind each other. Of two servers that do it at once one writes the row.
 */
final class TusCompletion {
    private final UploadService uploads;
    private final PendingDeletions erasures;
    private final TusStore store;

    TusCompletion(UploadService uploads, PendingDeletions erasures, TusStore store) {
        this.uploads = uploads;
        this.erasures = erasures;
        this.store = store;
    }

    /** The hash, where it is known, is of the whole file; else it is read once more. */
    void finish(TusUpload whole, Optional<String> hash) throws IOException {
        List<Part> parts = uploads.database().read(tx -> store.parts(tx, whole.upload().id()));
        if (parts.stream().mapToLong(Part::size).sum() != whole.length()) {
            return; // another server has just done it: without its pieces it would come out empty
        }
        arrive(
                parts.size() == 1
                        ? moved(whole.upload(), parts.getFirst(), hash)
                        : joined(whole.upload(), parts));
    }

    /**
     * A piece that is gone lies at its place already: a crash came between the move and its row.
     */
    private Upload moved(Upload upload, Part piece, Optional<String> hash) throws IOException {
        ObjectStore objects = uploads.objects();
        ObjectKey place = upload.file().key();
        if (objects.size(piece.key()).isPresent()) {
            objects.move(piece.key(), place);
        }
        String sha256 = hash.isPresent() ? hash.get() : hash(place);
        try (InputStream head = objects.open(place, 0, ContentTypeDetector.HEAD_BYTES)) {
            String type = ContentTypeDetector.detect(upload.file().name(), head.readAllBytes());
            return UploadReceiver.measured(upload, type, new StoredObject(piece.size(), sha256));
        }
    }

    private Upload joined(Upload upload, List<Part> parts) throws IOException {
        try (InputStream content = new ChunkInputStream(uploads.objects(), parts)) {
            IncomingFile incoming =
                    IncomingFile.of(upload.file().name(), content, uploads.limits().maxFileBytes());
            StoredObject stored = uploads.objects().put(upload.file().key(), incoming.content());
            return UploadReceiver.measured(upload, incoming.mimeType(), stored);
        }
    }

    private void arrive(Upload whole) {
        long now = uploads.clock().millis();
        uploads.database()
                .change(
                        tx -> {
                            if (!uploads.store().arrive(tx, whole.id(), whole.file(), now)) {
                                uploads.eraseUnlessKept(tx, whole);
                                return;
                            }
                            uploads.requireRoom(tx, whole.tenant(), whole.session());
                            uploads.store().dropParts(tx, whole.id());
                            erasures.addAllBeneath(tx, TusUpload.partPrefix(whole));
                            uploads.audit().add(tx, UploadReceiver.arrival(whole), now);
                        });
        erasures.run();
    }

    private String hash(ObjectKey key) throws IOException {
        try (Sha256InputStream content = new Sha256InputStream(uploads.objects().open(key))) {
            content.transferTo(OutputStream.nullOutputStream());
            return content.sha256();
        }
    }
}
