package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadReceiver;
import dev.satchel.server.upload.UploadService;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Uploads that may be interrupted. What arrives is stored in pieces of a few megabytes, each
 * flushed before its row is written: a broken connection costs nothing, a killed server what was
 * not flushed, and any node can go on. The last byte makes a file of them.
 */
public final class TusService {
    private static final int PIECE_BYTES = 8 << 20;
    private static final int LOCKS = 64;

    private final UploadService uploads;
    private final TusStore store = new TusStore();
    private final TusCompletion finish;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    public TusService(UploadService uploads, PendingDeletions erasures) {
        this.uploads = uploads;
        this.finish = new TusCompletion(uploads, erasures, store);
    }

    long maxBytes() {
        return uploads.limits().maxFileBytes();
    }

    /** Begins one in a temporary session, a new one unless one of the tenant's is named. */
    public TusUpload create(TenantId tenant, Optional<String> session, String name, long length)
            throws IOException {
        String into = session.orElseGet(UploadService::newSession);
        if (session.isPresent() && !uploads.isTemporary(tenant, into)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such session");
        }
        if (length > maxBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the upload has " + length + " bytes, the limit is " + maxBytes());
        }
        FileId id = FileId.random();
        StoredFile file = new StoredFile(name, "", 0, "", UploadReceiver.key(into, id, name));
        Upload upload = new Upload(id, tenant, into, file, uploads.clock().millis(), null);
        uploads.database()
                .change(
                        tx -> {
                            uploads.requirePlace(tx, tenant, into);
                            uploads.store().insert(tx, upload, length);
                        });
        return finishIfWhole(new TusUpload(upload, length, 0, false), Optional.empty());
    }

    /** Finishes it first if a crash came between its last byte and its end. */
    public TusUpload get(TenantId tenant, FileId id) throws IOException {
        return finishIfWhole(find(tenant, id), Optional.empty());
    }

    /** Takes in what a request brings; with a checksum all of it or nothing. */
    public TusUpload append(
            TenantId tenant,
            FileId id,
            long offset,
            InputStream body,
            @Nullable TusChecksum checksum)
            throws IOException {
        TusUpload upload = find(tenant, id);
        if (upload.received() != offset) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload goes on at " + upload.received());
        }
        TusChunks pieces =
                new TusChunks(
                        checksum == null ? body : new DigestInputStream(body, checksum.digest()),
                        PIECE_BYTES);
        Optional<String> hash;
        try (TusPatch reception = new TusPatch(uploads, upload)) {
            if (checksum == null) {
                reception.keepEach(pieces);
            } else {
                reception.keepAll(pieces, checksum);
            }
            hash = offset == 0 ? reception.hash() : Optional.empty();
        }
        if (pieces.failure().isPresent()) {
            throw pieces.failure().get();
        }
        return finishIfWhole(find(tenant, id), hash);
    }

    void delete(TenantId tenant, FileId id) {
        Upload upload = find(tenant, id).upload();
        uploads.forget(List.of(upload));
    }

    long expiresAt(TusUpload upload) {
        return upload.upload().createdAt() + uploads.maxAge().toMillis();
    }

    private TusUpload find(TenantId tenant, FileId id) {
        return uploads.database()
                .read(tx -> store.find(tx, tenant, id))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such upload"));
    }

    private TusUpload finishIfWhole(TusUpload upload, Optional<String> hash) throws IOException {
        if (!upload.whole() || upload.arrived()) {
            return upload;
        }
        FileId id = upload.upload().id();
        ReentrantLock lock = locks.get(Math.floorMod(id.hashCode(), LOCKS));
        lock.lock();
        try {
            TusUpload now = find(upload.upload().tenant(), id);
            if (!now.arrived()) {
                finish.finish(now, hash);
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
}
