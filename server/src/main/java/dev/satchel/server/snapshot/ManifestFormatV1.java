package dev.satchel.server.snapshot;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Manifests of version 1, which nobody writes any more: a snapshot outlives the program. */
final class ManifestFormatV1 {
    static final int VERSION = 1;
    private static final int HASH_BYTES = 32;

    private ManifestFormatV1() {}

    /** What follows the version. */
    static Manifest read(DataInputStream in) throws IOException {
        long takenAt = in.readLong();
        List<ManifestEntry> entries = new ArrayList<>();
        for (int rest = in.readInt(); rest > 0; rest--) {
            entries.add(entry(in));
        }
        return new Manifest(takenAt, entries);
    }

    private static ManifestEntry entry(DataInputStream in) throws IOException {
        WorkspacePath path = new WorkspacePath(in.readUTF());
        FileStat.Kind kind = FileStat.Kind.valueOf(in.readUTF());
        int mode = in.readInt();
        long size = in.readLong();
        Instant modified = time(in);
        FileStat plain = new FileStat(kind, size, modified, modified, mode, 1, 0);
        return switch (kind) {
            case FILE -> {
                Instant changed = time(in);
                long inode = in.readLong();
                FileStat stat = new FileStat(kind, size, modified, changed, mode, 1, inode);
                yield ManifestEntry.file(path, stat, content(in));
            }
            case LINK -> ManifestEntry.link(path, plain, in.readUTF());
            case DIRECTORY, OTHER -> ManifestEntry.directory(path, plain);
        };
    }

    private static ContentRef content(DataInputStream in) throws IOException {
        byte[] hash = new byte[HASH_BYTES];
        in.readFully(hash);
        return new ContentRef(
                ContentHash.read(ByteBuffer.wrap(hash)),
                in.readUTF(),
                in.readLong(),
                in.readLong());
    }

    private static Instant time(DataInputStream in) throws IOException {
        return Instant.ofEpochSecond(in.readLong(), in.readInt());
    }
}
