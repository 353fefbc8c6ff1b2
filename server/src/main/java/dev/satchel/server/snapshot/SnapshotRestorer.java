package dev.satchel.server.snapshot;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStream;
import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.BoundedInputStream;
import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Restores a snapshot into an empty directory: files first, then links, so that nothing is written
 * through one, and modes and times of directories last. Every content is checked against its hash.
 */
public final class SnapshotRestorer {
    /** Without setuid and setgid: a process that runs as root must not create such a file. */
    private static final int MODE_BITS = 01777;

    private static final int SMALL = 256 * 1024;

    private final SnapshotService snapshots;

    public SnapshotRestorer(SnapshotService snapshots) {
        this.snapshots = snapshots;
    }

    public void into(Path folder, Snapshot snapshot) throws IOException {
        try (SafeDirectory directory = SafeDirectory.open(folder)) {
            into(directory, snapshot);
        }
    }

    private void into(SafeDirectory directory, Snapshot snapshot) throws IOException {
        List<ManifestEntry> directories = new ArrayList<>();
        List<ManifestEntry> links = new ArrayList<>();
        Map<String, List<ManifestEntry>> byPack = new HashMap<>();
        for (ManifestEntry entry : snapshots.manifest(snapshot).entries()) {
            switch (entry.stat().kind()) {
                case DIRECTORY -> {
                    directory.createDirectories(entry.path());
                    directories.add(entry);
                }
                case LINK -> links.add(entry);
                case FILE ->
                        byPack.computeIfAbsent(
                                        entry.requireContent().pack(), _ -> new ArrayList<>())
                                .add(entry);
                case OTHER -> throw new IOException("not a file or link: " + entry.path());
            }
        }
        for (Map.Entry<String, List<ManifestEntry>> pack : byPack.entrySet()) {
            unpack(directory, snapshot, pack.getKey(), pack.getValue());
        }
        for (ManifestEntry link : links) {
            directory.link(link.path(), link.requireTarget());
            setAttributes(directory, link);
        }
        for (ManifestEntry entry : directories.reversed()) {
            setAttributes(directory, entry);
        }
    }

    /** Reads the needed range of the pack with one request. */
    private void unpack(
            SafeDirectory directory, Snapshot snapshot, String pack, List<ManifestEntry> entries)
            throws IOException {
        entries.sort(Comparator.comparingLong(entry -> entry.requireContent().offset()));
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
                    copy(directory, same, entry.path());
                } else {
                    in.skipNBytes(content.offset() - position);
                    unpack(in, entry, directory);
                    position = content.offset() + content.length();
                }
                setAttributes(directory, entry);
            }
        }
    }

    /** Decompresses a small file at once: creating a stream takes longer than decompressing. */
    private static void unpack(InputStream in, ManifestEntry entry, SafeDirectory directory)
            throws IOException {
        ContentRef content = entry.requireContent();
        MessageDigest digest = Sha256.newDigest();
        if (Math.max(entry.stat().size(), content.length()) > SMALL) {
            BoundedInputStream frame = BoundedInputStream.endingAfter(in, content.length());
            write(
                    directory,
                    entry.path(),
                    new DigestInputStream(new ZstdInputStream(frame), digest));
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

    private static void copy(SafeDirectory directory, WorkspacePath from, WorkspacePath to)
            throws IOException {
        try (OpenFile file = directory.open(from)) {
            write(directory, to, Channels.newInputStream(file.channel()));
        }
    }

    private static void write(SafeDirectory directory, WorkspacePath path, InputStream content)
            throws IOException {
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

    private static void setAttributes(SafeDirectory directory, ManifestEntry entry)
            throws IOException {
        FileStat stat = entry.stat();
        directory.setAttributes(entry.path(), stat.mode() & MODE_BITS, stat.modified());
    }
}
