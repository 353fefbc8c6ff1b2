package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
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
 * Resumable uploads. The bytes are stored in chunks of a few megabytes, each flushed before its row
 * is inserted: a broken connection loses nothing, a killed server loses what was not flushed, and
 * any node can continue. The last byte completes the file.
 */
public final class TusService {
    private static final int CHUNK_BYTES = 8 << 20;
    private static final int LOCKS = 64;

    private final UploadService uploads;
    private final TusStore store = new TusStore();
    private final TusCompletion completion;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    public TusService(UploadService uploads, PendingDeletions deletions) {
        this.uploads = uploads;
        this.completion = new TusCompletion(uploads, deletions, store);
    }

    long maxBytes() {
        return uploads.limits().maxFileBytes();
    }

    /** Creates an upload in a temporary session of the tenant, or in a new one. */
    public TusUpload create(Caller caller, Optional<String> session, String name, long length)
            throws IOException {
        TenantId tenant = caller.tenant();
        String into = session.orElseGet(UploadService::newSession);
        if (session.isPresent() && !uploads.isTemporary(caller, into)) {
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
                            uploads.requireFileLimit(tx, tenant, into);
                            uploads.store().insert(tx, upload, caller.user(), length);
                        });
        return completeIfReceived(
                caller, new TusUpload(upload, length, 0, false), Optional.empty());
    }

    /** Completes the upload first if a crash came between its last byte and its completion. */
    public TusUpload get(Caller caller, FileId id) throws IOException {
        return completeIfReceived(caller, find(caller, id), Optional.empty());
    }

    /** Stores the body of a request; with a checksum, all of it or nothing. */
    public TusUpload append(
            Caller caller, FileId id, long offset, InputStream body, @Nullable TusChecksum checksum)
            throws IOException {
        TusUpload upload = find(caller, id);
        if (upload.received() != offset) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload continues at offset " + upload.received());
        }
        TusChunks chunks =
                new TusChunks(
                        checksum == null ? body : new DigestInputStream(body, checksum.digest()),
                        CHUNK_BYTES);
        Optional<String> hash;
        try (TusPatch patch = new TusPatch(uploads, upload)) {
            if (checksum == null) {
                patch.storeEach(chunks);
            } else {
                patch.storeAll(chunks, checksum);
            }
            hash = offset == 0 ? patch.hash() : Optional.empty();
        }
        if (chunks.failure().isPresent()) {
            throw chunks.failure().get();
        }
        return completeIfReceived(caller, find(caller, id), hash);
    }

    void delete(Caller caller, FileId id) {
        Upload upload = find(caller, id).upload();
        uploads.remove(List.of(upload));
    }

    long expiresAt(TusUpload upload) {
        return upload.upload().createdAt() + uploads.maxAge().toMillis();
    }

    private TusUpload find(Caller caller, FileId id) {
        return uploads.database()
                .read(tx -> store.find(tx, caller, id))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such upload"));
    }

    private TusUpload completeIfReceived(Caller caller, TusUpload upload, Optional<String> hash)
            throws IOException {
        if (!upload.isReceived() || upload.arrived()) {
            return upload;
        }
        FileId id = upload.upload().id();
        ReentrantLock lock = locks.get(Math.floorMod(id.hashCode(), LOCKS));
        lock.lock();
        try {
            TusUpload now = find(caller, id);
            if (!now.arrived()) {
                completion.complete(now, hash);
            }
        } catch (NoSuchObjectException e) {
            if (!find(caller, id).arrived()) {
                throw e;
            } // another server has completed it and deleted the chunks
        } finally {
            lock.unlock();
        }
        return find(caller, id);
    }
}
