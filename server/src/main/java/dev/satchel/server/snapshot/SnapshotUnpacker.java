package dev.satchel.server.snapshot;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStream;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.BoundedInputStream;
import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes files of a snapshot into a directory. Every content is checked against its hash. */
final class SnapshotUnpacker {
    /** Without setuid and setgid: a process that runs as root must not create such a file. */
    static final int MODE_BITS = 01777;

    private static final int SMALL = 256 * 1024;

    /** Reading this many unneeded bytes of a pack takes less time than another request. */
    private static final long MAX_GAP = 1024 * 1024;

    private final SnapshotService snapshots;
    private final SafeDirectory directory;
    private final Snapshot snapshot;

    SnapshotUnpacker(SnapshotService snapshots, SafeDirectory directory, Snapshot snapshot) {
        this.snapshots = snapshots;
        this.directory = directory;
        this.snapshot = snapshot;
    }

    /** Replaces files and links of the same paths. */
    void files(List<ManifestEntry> files) throws IOException {
        Map<String, List<ManifestEntry>> byPack = new HashMap<>();
        for (ManifestEntry entry : files) {
            byPack.computeIfAbsent(entry.requireContent().pack(), _ -> new ArrayList<>())
                    .add(entry);
        }
        for (Map.Entry<String, List<ManifestEntry>> pack : byPack.entrySet()) {
            for (List<ManifestEntry> range : ranges(pack.getValue())) {
                unpack(pack.getKey(), range);
            }
        }
    }

    void link(ManifestEntry link) throws IOException {
        directory.link(link.path(), link.requireTarget());
        attributes(link);
    }

    void attributes(ManifestEntry entry) throws IOException {
        directory.setAttributes(
                entry.path(), entry.stat().mode() & MODE_BITS, entry.stat().modified());
    }

    /** Entries of a pack that are read with one request, in the order of the pack. */
    private static List<List<ManifestEntry>> ranges(List<ManifestEntry> entries) {
        entries.sort(Comparator.comparingLong(entry -> entry.requireContent().offset()));
        List<List<ManifestEntry>> ranges = new ArrayList<>();
        long end = -MAX_GAP - 1;
        for (ManifestEntry entry : entries) {
            ContentRef content = entry.requireContent();
            if (content.offset() - end > MAX_GAP) {
                ranges.add(new ArrayList<>());
            }
            ranges.getLast().add(entry);
            end = content.offset() + content.length();
        }
        return ranges;
    }

    private void unpack(String pack, List<ManifestEntry> entries) throws IOException {
        long begin = entries.getFirst().requireContent().offset();
        ContentRef last = entries.getLast().requireContent();
        long end = last.offset() + last.length();
        Map<Long, WorkspacePath> done = new HashMap<>();
        try (InputStream in = snapshots.packed(snapshot, pack, begin, end - begin)) {
            long position = begin;
            for (ManifestEntry entry : entries) {
                ContentRef content = entry.requireContent();
                WorkspacePath same = done.putIfAbsent(content.offset(), entry.path());
                if (same != null) {
                    copy(same, entry.path());
                } else {
                    in.skipNBytes(content.offset() - position);
                    unpack(in, entry);
                    position = content.offset() + content.length();
                }
            }
        }
        for (ManifestEntry entry : entries) { // last: the mode may forbid to copy the file
            attributes(entry);
        }
    }

    /** Decompresses a small file at once: creating a stream takes longer than decompressing. */
    private void unpack(InputStream in, ManifestEntry entry) throws IOException {
        ContentRef content = entry.requireContent();
        MessageDigest digest = Sha256.newDigest();
        if (Math.max(entry.stat().size(), content.length()) > SMALL) {
            BoundedInputStream frame = BoundedInputStream.endingAfter(in, content.length());
            write(entry.path(), new DigestInputStream(new ZstdInputStream(frame), digest));
            frame.skipRemaining();
            ContentHash.requireSame(digest, content.hash());
            return;
        }
        byte[] frame = in.readNBytes((int) content.length());
        byte[] bytes = decompressed(frame, (int) entry.stat().size());
        digest.update(bytes);
        ContentHash.requireSame(digest, content.hash());
        directory.write(entry.path(), bytes);
    }

    private void copy(WorkspacePath from, WorkspacePath to) throws IOException {
        try (OpenFile file = directory.open(from)) {
            write(to, Channels.newInputStream(file.channel()));
        }
    }

    private void write(WorkspacePath path, InputStream content) throws IOException {
        try (NewFile file = directory.create(path)) {
            content.transferTo(Channels.newOutputStream(file.channel()));
            file.commit();
        }
    }

    private static byte[] decompressed(byte[] frame, int size) throws IOException {
        try {
            byte[] bytes = new byte[size];
            long count = Zstd.decompress(bytes, frame);
            if (count == size) {
                return bytes;
            }
        } catch (ZstdException e) {
            throw new IOException("a stored content is damaged", e);
        }
        throw new IOException("a stored content is damaged: expected " + size + " bytes");
    }
}
