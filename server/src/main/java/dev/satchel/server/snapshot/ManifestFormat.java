package dev.satchel.server.snapshot;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Manifests as bytes. Fixed fields in one buffer, since ten thousand entries are written and read
 * with every turn. Compressed at a low level, since half of it is hashes, which do not compress.
 */
final class ManifestFormat {
    private static final int MAGIC = 0x5341544d; // SATM
    private static final int VERSION = 1;
    private static final int LEVEL = -3;

    /** The most that an entry takes, apart from its texts. */
    private static final int FIXED_BYTES = 128;

    private ManifestFormat() {}

    static byte[] write(long takenAt, List<ManifestEntry> entries) {
        Map<String, Integer> packs = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (ManifestEntry entry : entries) {
            ContentRef content = entry.content();
            if (content != null && packs.putIfAbsent(content.pack(), names.size()) == null) {
                names.add(content.pack());
            }
        }
        GrowingBuffer out = new GrowingBuffer();
        out.reserve(FIXED_BYTES)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putLong(takenAt)
                .putInt(names.size());
        names.forEach(out::text);
        out.reserve(FIXED_BYTES).putInt(entries.size());
        for (ManifestEntry entry : entries) {
            write(out, entry, packs);
        }
        return Zstd.compress(out.bytes(), LEVEL);
    }

    private static void write(GrowingBuffer out, ManifestEntry entry, Map<String, Integer> packs) {
        FileStat stat = entry.stat();
        out.text(entry.path().value());
        ByteBuffer bytes = out.reserve(FIXED_BYTES);
        bytes.put(letter(stat.kind())).putInt(stat.mode()).putLong(stat.size());
        write(bytes, stat.modified());
        switch (stat.kind()) {
            case FILE -> {
                ContentRef content = entry.requireContent();
                write(bytes, stat.changed());
                bytes.putLong(stat.inode());
                content.hash().write(bytes);
                bytes.putInt(packs.getOrDefault(content.pack(), -1));
                bytes.putLong(content.offset()).putLong(content.length());
            }
            case LINK -> out.text(entry.requireTarget());
            case DIRECTORY, OTHER -> {}
        }
    }

    private static byte letter(FileStat.Kind kind) {
        return switch (kind) {
            case FILE -> 'f';
            case DIRECTORY -> 'd';
            case LINK -> 'l';
            case OTHER -> throw new IllegalArgumentException("a snapshot holds no devices");
        };
    }

    private static FileStat.Kind kind(byte letter) throws IOException {
        return switch (letter) {
            case 'f' -> FileStat.Kind.FILE;
            case 'd' -> FileStat.Kind.DIRECTORY;
            case 'l' -> FileStat.Kind.LINK;
            default -> throw new IOException("the manifest is damaged");
        };
    }

    private static void write(ByteBuffer bytes, Instant time) {
        bytes.putLong(time.getEpochSecond()).putInt(time.getNano());
    }

    static Manifest read(byte[] compressed) throws IOException {
        try {
            return readPlain(
                    new ZstdInputStream(new ByteArrayInputStream(compressed)).readAllBytes());
        } catch (ZstdIOException | BufferUnderflowException | EOFException e) {
            throw new IOException("the manifest is damaged", e);
        }
    }

    private static Manifest readPlain(byte[] plain) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(plain);
        if (bytes.getInt() != MAGIC) {
            throw new IOException("not a manifest");
        }
        int version = bytes.getInt();
        if (version != VERSION) {
            throw new IOException("unknown manifest version " + version);
        }
        long takenAt = bytes.getLong();
        List<String> packs = new ArrayList<>();
        for (int rest = bytes.getInt(); rest > 0; rest--) {
            packs.add(text(bytes));
        }
        int count = bytes.getInt();
        List<ManifestEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(entry(bytes, packs));
        }
        return new Manifest(takenAt, entries);
    }

    private static ManifestEntry entry(ByteBuffer bytes, List<String> packs) throws IOException {
        WorkspacePath path = new WorkspacePath(text(bytes));
        FileStat.Kind kind = kind(bytes.get());
        int mode = bytes.getInt();
        long size = bytes.getLong();
        Instant modified = time(bytes);
        return switch (kind) {
            case FILE -> {
                Instant changed = time(bytes);
                long inode = bytes.getLong();
                FileStat stat = new FileStat(kind, size, modified, changed, mode, 1, inode);
                ContentRef content =
                        new ContentRef(
                                ContentHash.read(bytes),
                                packs.get(bytes.getInt()),
                                bytes.getLong(),
                                bytes.getLong());
                yield ManifestEntry.file(path, stat, content);
            }
            case LINK -> ManifestEntry.link(path, plain(kind, size, modified, mode), text(bytes));
            case DIRECTORY, OTHER ->
                    ManifestEntry.directory(path, plain(kind, size, modified, mode));
        };
    }

    private static FileStat plain(FileStat.Kind kind, long size, Instant modified, int mode) {
        return new FileStat(kind, size, modified, modified, mode, 1, 0);
    }

    private static Instant time(ByteBuffer bytes) {
        return Instant.ofEpochSecond(bytes.getLong(), bytes.getInt());
    }

    private static String text(ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** A buffer that grows as it is filled. */
    private static final class GrowingBuffer {
        private ByteBuffer buffer = ByteBuffer.allocate(1 << 20);

        /** Returns the buffer with room for this many more bytes. */
        ByteBuffer reserve(int bytes) {
            if (buffer.remaining() < bytes) {
                int capacity = Math.max(buffer.capacity() * 2, buffer.position() + bytes);
                buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
            }
            return buffer;
        }

        void text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            reserve(bytes.length + Integer.BYTES).putInt(bytes.length).put(bytes);
        }

        byte[] bytes() {
            byte[] all = new byte[buffer.position()];
            buffer.flip().get(all);
            return all;
        }
    }
}
