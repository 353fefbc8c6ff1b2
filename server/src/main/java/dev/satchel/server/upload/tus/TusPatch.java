package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
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
 * What one request brings to a resumable upload. Flushing a piece and writing its row happen behind
 * the pieces that are still coming, one such step at a time. Closing removes what got no row.
 */
final class TusPatch implements AutoCloseable {
    private final UploadService uploads;
    private final Upload upload;
    private final TusChunkWriter writer;

    /** Stored, and not yet being kept. */
    private final List<Stored> waiting = new ArrayList<>();

    /** For whoever keeps, of whom there is one at a time. */
    private long offset;

    private boolean keptAny;
    private List<Stored> lost = List.of();

    private @Nullable Thread keeping;
    private volatile @Nullable Exception failure;

    TusPatch(UploadService uploads, TusUpload upload) {
        this.uploads = uploads;
        this.upload = upload.upload();
        this.offset = upload.received();
        this.writer = new TusChunkWriter(uploads.objects(), TusUpload.partPrefix(this.upload));
    }

    /** Keeps what has come even when the connection breaks. */
    void keepEach(TusChunks pieces) throws IOException {
        for (Optional<InputStream> piece = pieces.next();
                piece.isPresent();
                piece = pieces.next()) {
            waiting.add(writer.write(piece.get()));
            if (keeping == null || !keeping.isAlive()) {
                rethrow();
                List<Stored> ready = List.copyOf(waiting);
                waiting.clear();
                keeping = Thread.ofVirtual().name("keep").start(() -> keepBehind(ready));
            }
        }
        join();
        rethrow();
        keep(waiting);
        waiting.clear();
    }

    /** All of it or nothing, as its checksum says. */
    void keepAll(TusChunks pieces, TusChecksum checksum) throws IOException {
        for (Optional<InputStream> piece = pieces.next();
                piece.isPresent();
                piece = pieces.next()) {
            waiting.add(writer.write(piece.get()));
        }
        if (pieces.failure().isPresent()) {
            throw pieces.failure().get(); // what is not whole cannot be checked
        }
        checksum.require();
        keep(waiting);
        waiting.clear();
    }

    /** Of all that came, where that is one object. */
    Optional<String> hash() {
        return writer.hash();
    }

    @Override
    public void close() throws IOException {
        join();
        try (writer) {
            List<Stored> without = new ArrayList<>(lost);
            without.addAll(waiting);
            if (writer.grows() && keptAny) {
                return; // its begin has rows; what follows goes with the upload
            }
            for (Stored piece : without) {
                uploads.objects().delete(piece.key());
            }
        }
    }

    private void keepBehind(List<Stored> pieces) {
        try {
            keep(pieces);
        } catch (IOException | RuntimeException e) {
            lost = pieces;
            failure = e;
        }
    }

    /** All or none; another request that was faster at the same place has won. */
    private void keep(List<Stored> pieces) throws IOException {
        if (pieces.isEmpty()) {
            return;
        }
        writer.flush();
        long begin = offset;
        uploads.database()
                .change(
                        tx -> {
                            long at = begin;
                            for (Stored piece : pieces) {
                                if (!uploads.store()
                                        .addPart(tx, upload.id(), at, piece.size(), piece.key())) {
                                    throw new SatchelException(
                                            ErrorCode.CONFLICT,
                                            "another request has gone on with this upload");
                                }
                                at += piece.size();
                            }
                        });
        offset += pieces.stream().mapToLong(Stored::size).sum();
        keptAny = true;
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
        Thread last = keeping;
        if (last == null) {
            return;
        }
        try {
            last.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while keeping an upload");
        }
    }
}
