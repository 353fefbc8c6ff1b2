package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.tus.TusChunkWriter.Stored;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores the body of one PATCH request. A second thread flushes stored chunks and inserts their
 * rows while further chunks arrive. Closing deletes the objects of chunks that have no row for
 * certain.
 */
final class TusPatch implements AutoCloseable {
    private final UploadService uploads;
    private final Upload upload;
    private final TusChunkWriter writer;

    /** Stored chunks that no thread has begun to commit. */
    private final List<Stored> waiting = new ArrayList<>();

    /** Used by the committing thread only; there is at most one. */
    private long offset;

    private boolean anyCommitted;

    /** The outcome of a commit is unknown, so no object is deleted. */
    private boolean mayHaveRows;

    private List<Stored> uncommitted = List.of();

    private @Nullable Thread committer;
    private volatile @Nullable Exception failure;

    TusPatch(UploadService uploads, TusUpload upload) {
        this.uploads = uploads;
        this.upload = upload.upload();
        this.offset = upload.received();
        this.writer = new TusChunkWriter(uploads.objects(), this.upload.partPrefix());
    }

    /** Commits chunk by chunk, so that a broken connection loses nothing that was received. */
    void storeEach(TusChunks chunks) throws IOException {
        for (Optional<InputStream> chunk = chunks.next();
                chunk.isPresent();
                chunk = chunks.next()) {
            waiting.add(writer.write(chunk.get()));
            if (committer == null || !committer.isAlive()) {
                rethrow();
                List<Stored> ready = List.copyOf(waiting);
                waiting.clear();
                committer =
                        Thread.ofVirtual()
                                .name("upload-commit")
                                .start(() -> commitInBackground(ready));
            }
        }
        join();
        rethrow();
        commit(waiting);
        waiting.clear();
    }

    /** Commits all chunks when the checksum matches, else none. */
    void storeAll(TusChunks chunks, TusChecksum checksum) throws IOException {
        for (Optional<InputStream> chunk = chunks.next();
                chunk.isPresent();
                chunk = chunks.next()) {
            waiting.add(writer.write(chunk.get()));
        }
        if (chunks.failure().isPresent()) {
            throw chunks.failure().get(); // an incomplete body cannot match
        }
        checksum.require();
        commit(waiting);
        waiting.clear();
    }

    /** The hash of the body, if it is in one object. */
    Optional<String> hash() {
        return writer.hash();
    }

    @Override
    public void close() throws IOException {
        join();
        try (writer) {
            List<Stored> unused = new ArrayList<>(uncommitted);
            unused.addAll(waiting);
            if (mayHaveRows || (writer.isSingleObject() && anyCommitted)) {
                return; // objects of chunks with rows are deleted with the upload
            }
            for (Stored chunk : unused) {
                uploads.objects().delete(chunk.key());
            }
        }
    }

    private void commitInBackground(List<Stored> chunks) {
        try {
            commit(chunks);
        } catch (IOException | RuntimeException e) {
            uncommitted = chunks;
            failure = e;
        }
    }

    /** Inserts the rows of all or none; fails when another request has the same offset. */
    private void commit(List<Stored> chunks) throws IOException {
        if (chunks.isEmpty()) {
            return;
        }
        writer.flush();
        long start = offset;
        try {
            uploads.database().change(tx -> insert(tx, start, chunks));
        } catch (CommitUnknownException e) {
            mayHaveRows = true;
            throw e;
        }
        offset += chunks.stream().mapToLong(Stored::size).sum();
        anyCommitted = true;
    }

    private void insert(Transaction tx, long start, List<Stored> chunks) {
        long at = start;
        for (Stored chunk : chunks) {
            if (!uploads.store().addPart(tx, upload.id(), at, chunk.size(), chunk.key())) {
                throw new SatchelException(
                        ErrorCode.CONFLICT, "another request has continued this upload");
            }
            at += chunk.size();
        }
    }

    private void rethrow() throws IOException {
        Exception failed = failure;
        if (failed instanceof IOException e) {
            throw e;
        }
        if (failed instanceof RuntimeException e) {
            throw e;
        }
    }

    private void join() throws InterruptedIOException {
        Thread last = committer;
        if (last == null) {
            return;
        }
        try {
            last.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while storing an upload");
        }
    }
}
