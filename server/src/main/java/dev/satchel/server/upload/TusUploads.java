package dev.satchel.server.upload;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.FileId;
import dev.satchel.server.bag.IncomingFile;
import dev.satchel.server.bag.StoredFile;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.StoredObject;
import dev.satchel.server.upload.TusStore.Part;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Uploads that may be interrupted. What arrives is stored in pieces of a few megabytes, each whole
 * and flushed before its row is written: a broken connection costs nothing, a killed server the
 * piece in hand, and any node can go on. The last byte puts the file together.
 */
public final class TusUploads {
    private static final int PIECE_BYTES = 8 << 20;
    private static final int LOCKS = 64;

    private final Uploads uploads;
    private final Erasures erasures;
    private final TusStore store = new TusStore();
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    public TusUploads(Uploads uploads, Erasures erasures) {
        this.uploads = uploads;
        this.erasures = erasures;
    }

    long maxBytes() {
        return uploads.limits().maxFileBytes();
    }

    /** Begins one in a temporary session, a new one unless one of the tenant's is named. */
    TusUpload create(TenantId tenant, Optional<String> session, String name, long length)
            throws IOException {
        String into = session.orElseGet(Uploads::newSession);
        if (session.isPresent() && !uploads.isTemporary(tenant, into)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such session");
        }
        if (length > maxBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the upload has " + length + " bytes, the limit is " + maxBytes());
        }
        FileId id = FileId.random();
        StoredFile file = new StoredFile(name, "", 0, "", Reception.key(into, id, name));
        Upload upload = new Upload(id, tenant, into, file, uploads.clock().millis(), null);
        uploads.database()
                .change(
                        tx -> {
                            uploads.requirePlace(tx, tenant, into);
                            store.insert(tx, upload, length);
                        });
        return finishIfWhole(new TusUpload(upload, length, 0, false));
    }

    /** Finishes it first if a crash came between its last byte and its end. */
    TusUpload get(TenantId tenant, FileId id) throws IOException {
        return finishIfWhole(find(tenant, id));
    }

    /** Takes in what a request brings; with a checksum all of it or nothing. */
    TusUpload append(
            TenantId tenant, FileId id, long offset, InputStream body, @Nullable Checksum checksum)
            throws IOException {
        TusUpload upload = find(tenant, id);
        if (upload.received() != offset) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload goes on at " + upload.received());
        }
        Pieces pieces =
                new Pieces(
                        checksum == null ? body : new DigestInputStream(body, checksum.digest()),
                        PIECE_BYTES);
        if (checksum == null) {
            keepEach(upload, pieces);
        } else {
            keepAll(upload, pieces, checksum);
        }
        if (pieces.failure().isPresent()) {
            throw pieces.failure().get();
        }
        return get(tenant, id);
    }

    void delete(TenantId tenant, FileId id) {
        Upload upload = find(tenant, id).upload();
        uploads.forget(List.of(upload));
    }

    long expiresAt(TusUpload upload) {
        return upload.upload().createdAt() + uploads.maxAge().toMillis();
    }

    /** One stored piece that no row names yet. */
    private record Stored(ObjectKey key, long size) {}

    private void keepEach(TusUpload upload, Pieces pieces) throws IOException {
        long offset = upload.received();
        for (Optional<InputStream> piece = pieces.next();
                piece.isPresent();
                piece = pieces.next()) {
            Stored stored = store(upload.upload(), piece.get());
            keep(upload.upload(), offset, List.of(stored));
            offset += stored.size();
        }
    }

    private void keepAll(TusUpload upload, Pieces pieces, Checksum checksum) throws IOException {
        List<Stored> all = new ArrayList<>();
        try {
            for (Optional<InputStream> piece = pieces.next();
                    piece.isPresent();
                    piece = pieces.next()) {
                all.add(store(upload.upload(), piece.get()));
            }
            if (pieces.failure().isPresent()) {
                throw pieces.failure().get(); // what is not whole cannot be checked
            }
            checksum.require();
        } catch (IOException | SatchelException e) {
            discard(all);
            throw e;
        }
        keep(upload.upload(), upload.received(), all);
    }

    private Stored store(Upload upload, InputStream piece) throws IOException {
        ObjectKey key = new ObjectKey(TusUpload.partPrefix(upload) + UUID.randomUUID());
        return new Stored(key, uploads.objects().put(key, piece).size());
    }

    /** All or none; another request that was faster at the same place has won. */
    private void keep(Upload upload, long offset, List<Stored> pieces) throws IOException {
        try {
            uploads.database()
                    .change(
                            tx -> {
                                long at = offset;
                                for (Stored piece : pieces) {
                                    if (!store.addPart(
                                            tx, upload.id(), at, piece.size(), piece.key())) {
                                        throw new SatchelException(
                                                ErrorCode.CONFLICT,
                                                "another request has gone on with this upload");
                                    }
                                    at += piece.size();
                                }
                            });
        } catch (RuntimeException e) {
            discard(pieces);
            throw e;
        }
    }

    private void discard(List<Stored> pieces) throws IOException {
        for (Stored piece : pieces) {
            uploads.objects().delete(piece.key());
        }
    }

    private TusUpload find(TenantId tenant, FileId id) {
        return uploads.database()
                .read(tx -> store.find(tx, tenant, id))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such upload"));
    }

    private TusUpload finishIfWhole(TusUpload upload) throws IOException {
        if (!upload.whole() || upload.arrived()) {
            return upload;
        }
        FileId id = upload.upload().id();
        ReentrantLock lock = locks.get(Math.floorMod(id.hashCode(), LOCKS));
        lock.lock();
        try {
            TusUpload now = find(upload.upload().tenant(), id);
            if (!now.arrived()) {
                finish(now);
            }
        } catch (NoSuchObjectException e) {
            if (!find(upload.upload().tenant(), id).arrived()) {
                throw e;
            } // another server has finished it and taken the pieces away
        } finally {
            lock.unlock();
        }
        return find(upload.upload().tenant(), id);
    }

    /** Of two servers that finish it at once both write the same bytes, and one the row. */
    private void finish(TusUpload whole) throws IOException {
        List<Part> parts = uploads.database().read(tx -> store.parts(tx, whole.upload().id()));
        if (parts.stream().mapToLong(Part::size).sum() == whole.length()) {
            finish(whole.upload(), parts.stream().map(Part::key).toList());
        } // else another server has just done it: without its pieces it would come out empty
    }

    private void finish(Upload upload, List<ObjectKey> parts) throws IOException {
        try (InputStream content = new PartStream(uploads.objects(), parts)) {
            IncomingFile incoming = IncomingFile.of(upload.file().name(), content, maxBytes());
            StoredObject stored = uploads.objects().put(upload.file().key(), incoming.content());
            Upload whole = Reception.measured(upload, incoming.mimeType(), stored);
            long now = uploads.clock().millis();
            uploads.database()
                    .change(
                            tx -> {
                                if (!uploads.store().arrive(tx, whole.id(), whole.file(), now)) {
                                    uploads.eraseUnlessKept(tx, whole);
                                    return;
                                }
                                uploads.requireRoom(tx, whole.tenant(), whole.session());
                                store.dropParts(tx, whole.id());
                                erasures.addAllBeneath(tx, TusUpload.partPrefix(whole));
                                uploads.audit().add(tx, Reception.arrival(whole), now);
                            });
        }
        erasures.run();
    }
}
