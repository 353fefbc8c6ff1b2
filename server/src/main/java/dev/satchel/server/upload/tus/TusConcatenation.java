package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.upload.UploadStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts an upload together from partial ones: their parts become its parts, and are copied into one
 * file at its completion. The partial uploads are deleted then.
 */
final class TusConcatenation {
    private static final String PARTIAL = "partial";
    private static final String FINAL = "final;";
    private static final int MAX_PARTS = 1_000;

    private final TusStore store;
    private final UploadStore uploads;

    TusConcatenation(TusStore store, UploadStore uploads) {
        this.store = store;
        this.uploads = uploads;
    }

    static boolean isPartial(String header) {
        return header.equals(PARTIAL);
    }

    /** The ids in {@code final;url url}; the addresses may have a host or not. */
    static List<FileId> parts(String header) {
        if (!header.startsWith(FINAL)) {
            throw Fields.invalid("Upload-Concat", "must be partial, or final; with uploads");
        }
        List<FileId> parts = new ArrayList<>();
        for (String url : header.substring(FINAL.length()).strip().split(" +", -1)) {
            String id = url.substring(url.lastIndexOf('/') + 1);
            if (!FileId.isValid(id)) {
                throw Fields.invalid("Upload-Concat", "has an address that is not of an upload");
            }
            parts.add(new FileId(id));
        }
        if (parts.size() > MAX_PARTS || parts.stream().distinct().count() < parts.size()) {
            throw Fields.invalid("Upload-Concat", "has too many uploads, or one of them twice");
        }
        return parts;
    }

    /** The length of all together; each must be there with all its bytes. */
    long length(Transaction tx, Caller caller, List<FileId> parts) {
        long length = 0;
        for (FileId id : parts) {
            TusUpload part =
                    store.find(tx, caller, id)
                            .filter(TusUpload::isPartial)
                            .orElseThrow(
                                    () ->
                                            new SatchelException(
                                                    ErrorCode.NOT_FOUND,
                                                    "no such partial upload: " + id.value()));
            if (!part.isReceived()) {
                throw new SatchelException(
                        ErrorCode.CONFLICT, "the partial upload is not complete: " + id.value());
            }
            length += part.length();
        }
        return length;
    }

    void copyParts(Transaction tx, Caller caller, List<FileId> parts, FileId whole) {
        long start = 0;
        for (FileId id : parts) {
            uploads.copyParts(tx, id, whole, start);
            start += store.find(tx, caller, id).map(TusUpload::length).orElse(0L);
        }
    }
}
