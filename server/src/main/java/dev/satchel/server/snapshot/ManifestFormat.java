package dev.satchel.server.snapshot;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.satchel.runner.workspace.FileStat;
import dev.satchel.runner.workspace.WorkspacePath;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Manifests as bytes: binary, for ten thousand entries are read in milliseconds that way. */
final class ManifestFormat {
    private static final int MAGIC = 0x5341544d; // SATM
    private static final int VERSION = 1;
    private static final int SHA_BYTES = 32;
    private static final int LEVEL = 3;
    private static final int BUFFER = 64 * 1024;

    private ManifestFormat() {}

    static byte[] write(long takenAt, List<ManifestEntry> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out =
                new DataOutputStream(
                        new BufferedOutputStream(new ZstdOutputStream(bytes, LEVEL), BUFFER))) {
            out.writeInt(MAGIC);
            out.writeInt(VERSION);
            out.writeLong(takenAt);
            out.writeInt(entries.size());
            for (ManifestEntry entry : entries) {
                write(out, entry);
            }
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, ManifestEntry entry) throws IOException {
        FileStat stat = entry.stat();
        out.writeUTF(entry.path().value());
        out.writeUTF(stat.kind().name());
        out.writeInt(stat.mode());
        out.writeLong(stat.size());
        write(out, stat.modified());
        switch (stat.kind()) {
            case FILE -> {
                ContentRef content = entry.requireContent();
                write(out, stat.changed());
                out.writeLong(stat.inode());
                out.write(HexFormat.of().parseHex(content.sha256()));
                out.writeUTF(content.pack());
                out.writeLong(content.offset());
                out.writeLong(content.length());
            }
            case LINK -> out.writeUTF(entry.requireTarget());
            case DIRECTORY, OTHER -> {}
        }
    }

    private static void write(DataOutputStream out, Instant time) throws IOException {
        out.writeLong(time.getEpochSecond());
        out.writeInt(time.getNano());
    }

    static Manifest read(InputStream bytes) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(new ZstdInputStream(bytes), BUFFER))) {
            if (in.readInt() != MAGIC || in.readInt() != VERSION) {
                throw new IOException("not a manifest of this version");
            }
            long takenAt = in.readLong();
            int count = in.readInt();
            List<ManifestEntry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                entries.add(entry(in));
            }
            return new Manifest(takenAt, entries);
        }
    }

    private static ManifestEntry entry(DataInputStream in) throws IOException {
        WorkspacePath path = new WorkspacePath(in.readUTF());
        FileStat.Kind kind = FileStat.Kind.valueOf(in.readUTF());
        int mode = in.readInt();
        long size = in.readLong();
        Instant modified = time(in);
        return switch (kind) {
            case FILE -> {
                Instant changed = time(in);
                long inode = in.readLong();
                FileStat stat = new FileStat(kind, size, modified, changed, mode, 1, inode);
                yield ManifestEntry.file(path, stat, content(in));
            }
            case LINK -> ManifestEntry.link(path, plain(kind, size, modified, mode), in.readUTF());
            case DIRECTORY, OTHER ->
                    ManifestEntry.directory(path, plain(kind, size, modified, mode));
        };
    }

    private static FileStat plain(FileStat.Kind kind, long size, Instant modified, int mode) {
        return new FileStat(kind, size, modified, modified, mode, 1, 0);
    }

    private static ContentRef content(DataInputStream in) throws IOException {
        byte[] sha = new byte[SHA_BYTES];
        in.readFully(sha);
        return new ContentRef(
                HexFormat.of().formatHex(sha), in.readUTF(), in.readLong(), in.readLong());
    }

    private static Instant time(DataInputStream in) throws IOException {
        return Instant.ofEpochSecond(in.readLong(), in.readInt());
    }
}
