package dev.satchel.server.upload;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.file.IncomingFile;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Receives the files of one request into a temporary session: all or none. A row is inserted before
 * the bytes are stored, so the sweeper finds everything that a crash leaves.
 */
public final class UploadReceiver implements AutoCloseable {
    private static final Pattern EXTENSION = Pattern.compile("[A-Za-z0-9]{1,16}");

    private final UploadService uploads;
    private final Caller caller;
    private final String session;
    private final List<Upload> started = new ArrayList<>();
    private final List<Upload> received = new ArrayList<>();
    private boolean mayBeCommitted;

    UploadReceiver(UploadService uploads, Caller caller, String session) {
        this.uploads = uploads;
        this.caller = caller;
        this.session = session;
    }

    public void receive(String filename, InputStream content) throws IOException {
        BagLimits limits = uploads.limits();
        IncomingFile incoming = IncomingFile.of(filename, content, limits.maxFileBytes());
        Upload upload = start(incoming.name());
        StoredObject stored = uploads.objects().put(upload.file().key(), incoming.content());
        received.add(withContent(upload, incoming.mimeType(), stored));
    }

    /** Takes a copy of a file that is stored already. */
    public void copy(StoredFile file) throws IOException {
        Upload upload = start(FileNames.leaf(file.name()));
        uploads.objects().copy(file.key(), upload.file().key());
        StoredObject stored = new StoredObject(file.size(), file.sha256());
        received.add(withContent(upload, file.mimeType(), stored));
    }

    /** The files so far. */
    public List<Upload> received() {
        return List.copyOf(received);
    }

    public List<Upload> commit() {
        try {
            uploads.database().change(this::arriveAll);
            mayBeCommitted = true;
        } catch (CommitUnknownException e) {
            mayBeCommitted = true; // the sweeper deletes what has not arrived, or is not claimed
            throw e;
        }
        return List.copyOf(received);
    }

    @Override
    public void close() {
        if (!mayBeCommitted) {
            uploads.remove(started);
        }
    }

    /** {@code {session}/uploaded/{uuid}.{ext}}, without an extension that is not plain ASCII. */
    public static ObjectKey key(String session, FileId id, String name) {
        String extension = FileNames.extension(name);
        String ending = EXTENSION.matcher(extension).matches() ? "." + extension : "";
        return ObjectKey.of(session, "uploaded", id.value() + ending);
    }

    private Upload start(String name) {
        FileId id = FileId.random();
        StoredFile file = new StoredFile(name, "", 0, "", key(session, id, name));
        Upload upload =
                new Upload(id, caller.tenant(), session, file, uploads.clock().millis(), null);
        uploads.database()
                .change(
                        tx -> {
                            uploads.requireFileLimit(tx, caller.tenant(), session);
                            uploads.store().insert(tx, upload, caller.user());
                        });
        started.add(upload);
        return upload;
    }

    private void arriveAll(Transaction tx) {
        received.forEach(upload -> arrive(tx, upload));
        requireByteLimit(tx);
    }

    private void arrive(Transaction tx, Upload upload) {
        long now = uploads.clock().millis();
        if (!uploads.store().arrive(tx, upload.id(), upload.file(), now)) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the upload took too long and was deleted");
        }
        uploads.audit().add(tx, arrival(upload), now);
    }

    public static AuditEvent arrival(Upload upload) {
        return AuditEvent.allowed(
                upload.tenant(), upload.session(), AuditEvent.Action.UPLOAD, upload.id().value());
    }

    private void requireByteLimit(Transaction tx) {
        uploads.requireByteLimit(tx, caller.tenant(), session);
    }

    public static Upload withContent(Upload upload, String mimeType, StoredObject stored) {
        StoredFile file =
                new StoredFile(
                        upload.file().name(),
                        mimeType,
                        stored.size(),
                        stored.sha256(),
                        upload.file().key());
        return new Upload(
                upload.id(), upload.tenant(), upload.session(), file, upload.createdAt(), null);
    }
}
