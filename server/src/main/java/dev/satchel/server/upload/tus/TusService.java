package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadReceiver;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.UploadStore.Announcement;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    private final TusConcatenation concatenation;
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    public TusService(UploadService uploads, PendingDeletions deletions) {
        this.uploads = uploads;
        this.completion = new TusCompletion(uploads, deletions, store);
        this.concatenation = new TusConcatenation(store, uploads.store());
    }

    long maxBytes() {
        return uploads.limits().maxFileBytes();
    }

    /**
     * What a client wants to upload.
     *
     * @param session a temporary session of the caller; empty for a new one
     * @param announced its length is -1 if it becomes known later, or of what it consists of
     */
    record NewUpload(Optional<String> session, String name, Announcement announced) {}

    /** Creates an upload of a known length. */
    public TusUpload create(Caller caller, Optional<String> session, String name, long length)
            throws IOException {
        return create(caller, new NewUpload(session, name, new Announcement(length, null, null)));
    }

    TusUpload create(Caller caller, NewUpload wanted) throws IOException {
        TenantId tenant = caller.tenant();
        String into = wanted.session().orElseGet(UploadService::newSession);
        if (wanted.session().isPresent() && !uploads.isTemporary(caller, into)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such session");
        }
        long now = uploads.clock().millis();
        FileId id = FileId.at(now);
        String name = wanted.name();
        StoredFile file = new StoredFile(name, "", 0, "", UploadReceiver.key(into, id, name));
        Upload upload = new Upload(id, tenant, into, file, now, null);
        uploads.database().change(tx -> insert(tx, caller, upload, wanted.announced()));
        return completeIfReceived(caller, find(caller, id), Optional.empty());
    }

    private void insert(Transaction tx, Caller caller, Upload upload, Announcement announced) {
        uploads.requireFileLimit(tx, upload.tenant(), upload.session());
        String concat = announced.concat();
        if (concat == null || TusConcatenation.isPartial(concat)) {
            requireLength(announced.length());
            uploads.store().insert(tx, upload, caller.user(), announced);
            return;
        }
        List<FileId> parts = TusConcatenation.parts(concat);
        long length = concatenation.length(tx, caller, parts);
        requireLength(length);
        Announcement whole = new Announcement(length, announced.metadata(), concat);
        uploads.store().insert(tx, upload, caller.user(), whole);
        concatenation.copyParts(tx, caller, parts, upload.id());
    }

    private void requireLength(long length) {
        if (length > maxBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the upload has " + length + " bytes, the limit is " + maxBytes());
        }
    }

    /**
     * Announces the length of an upload that was created without one; the same again is no error.
     */
    void announce(Caller caller, FileId id, long length) {
        requireLength(length);
        TusUpload upload = find(caller, id);
        boolean isNew =
                upload.received() <= length
                        && uploads.database()
                                .write(tx -> uploads.store().setLength(tx, id, length));
        if (!isNew && find(caller, id).length() != length) {
            throw Fields.invalid("Upload-Length", "is not the length of this upload");
        }
    }

    /** How many bytes can follow this offset. */
    long left(TusUpload upload, long offset) {
        return (upload.hasLength() ? upload.length() : maxBytes()) - offset;
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
        if (upload.isFinal()) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN, "an upload that consists of others takes no bytes");
        }
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
                .filter(upload -> upload.arrived() || !isExpired(upload.upload().createdAt()))
                .orElseThrow(() -> noSuchUpload(id));
    }

    /** The time in the id is known also when the upload is deleted. */
    private SatchelException noSuchUpload(FileId id) {
        OptionalLong created = id.millis();
        return created.isPresent() && isExpired(created.getAsLong())
                ? new SatchelException(ErrorCode.GONE, "the upload has expired")
                : new SatchelException(ErrorCode.NOT_FOUND, "no such upload");
    }

    private boolean isExpired(long createdAt) {
        return createdAt + uploads.maxAge().toMillis() < uploads.clock().millis();
    }

    private TusUpload completeIfReceived(Caller caller, TusUpload upload, Optional<String> hash)
            throws IOException {
        if (!upload.isReceived() || upload.arrived() || upload.isPartial()) {
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
