package dev.satchel.server.upload.tus;

import dev.satchel.server.file.FileId;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadStore.Announcement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A resumable upload: what its client has announced, and the number of bytes received. */
public record TusUpload(Upload upload, Announcement announced, long received, boolean arrived) {
    static final long UNKNOWN_LENGTH = -1;

    long length() {
        return announced.length();
    }

    boolean hasLength() {
        return length() != UNKNOWN_LENGTH;
    }

    boolean isReceived() {
        return received == length();
    }

    /** Whether it becomes a file only together with others. */
    boolean isPartial() {
        String concat = announced.concat();
        return concat != null && TusConcatenation.isPartial(concat);
    }

    /** Whether it consists of other uploads. */
    boolean isFinal() {
        return announced.concat() != null && !isPartial();
    }

    /** The uploads that it consists of. */
    List<FileId> parts() {
        return isFinal()
                ? TusConcatenation.parts(Objects.requireNonNull(announced.concat()))
                : List.of();
    }

    @Nullable String metadata() {
        return announced.metadata();
    }
}
