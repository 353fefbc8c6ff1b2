package dev.satchel.server.snapshot;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdInputStream;
import dev.satchel.runner.workspace.FileStat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings a snapshot back into an empty folder of which nobody else knows yet: files first, links
 * when nothing is written any more, modes and times of directories last. Every content is checked
 * against its hash.
 */
public final class Restore {
    /** Who runs as root must not make what somebody else's program marked as its owner's. */
    private static final int MODE_BITS = 01777;

    private static final int SMALL = 256 * 1024;

    private final Snapshots snapshots;

    public Restore(Snapshots snapshots) {
        this.snapshots = snapshots;
    }

    public void into(Path folder, Snapshot snapshot) throws IOException {
        Manifest manifest = snapshots.manifest(snapshot);
        List<ManifestEntry> directories = new ArrayList<>();
        List<ManifestEntry> links = new ArrayList<>();
        Map<String, List<ManifestEntry>> byPack = new HashMap<>();
        for (ManifestEntry entry : manifest.entries()) {
            switch (entry.stat().kind()) {
                case DIRECTORY -> {
                    Files.createDirectory(at(folder, entry));
                    directories.add(entry);
                }
                case LINK -> links.add(entry);
                case FILE ->
                        byPack.computeIfAbsent(
                                        entry.requireContent().pack(), _ -> new ArrayList<>())
                                .add(entry);
                case OTHER -> throw new IOException("a snapshot holds no " + entry.path());
            }
        }
        for (Map.Entry<String, List<ManifestEntry>> pack : byPack.entrySet()) {
            unpack(folder, snapshot, pack.getKey(), pack.getValue());
        }
        for (ManifestEntry link : links) {
            Path path = at(folder, link);
            Files.createSymbolicLink(path, Path.of(link.requireTarget()));
            setTime(path, link.stat());
        }
        for (ManifestEntry directory : directories.reversed()) {
            finish(at(folder, directory), directory.stat());
        }
    }

    /** One request for the whole stretch of the pack that is needed. */
    private void unpack(Path folder, Snapshot snapshot, String pack, List<ManifestEntry> entries)
            throws IOException {
        entries.sort(Comparator.comparingLong(entry -> entry.requireContent().offset()));
        long begin = entries.getFirst().requireContent().offset();
        ContentRef last = entries.getLast().requireContent();
        long end = last.offset() + last.length();
        Map<Long, Path> done = new HashMap<>();
        try (InputStream in = snapshots.packed(snapshot, pack, begin, end - begin)) {
            long position = begin;
            for (ManifestEntry entry : entries) {
                ContentRef content = entry.requireContent();
                Path path = at(folder, entry);
                Path twin = done.putIfAbsent(content.offset(), path);
                if (twin != null) {
                    Files.copy(twin, path);
                } else {
                    in.skipNBytes(content.offset() - position);
                    unpack(in, entry, path);
                    position = content.offset() + content.length();
                }
                finish(path, entry.stat());
            }
        }
    }

    /** A small file at once: to make a stream takes longer than to unpack it. */
    private static void unpack(InputStream in, ManifestEntry entry, Path path) throws IOException {
        ContentRef content = entry.requireContent();
        if (Math.max(entry.stat().size(), content.length()) > SMALL) {
            unpack(new Stretch(in, content.length()), path, content.sha256());
            return;
        }
        byte[] frame = in.readNBytes((int) content.length());
        byte[] bytes = decompressed(frame, (int) entry.stat().size());
        MessageDigest digest = Sha256.begin();
        digest.update(bytes);
        requireWhole(digest, content.sha256());
        Files.write(path, bytes, StandardOpenOption.CREATE_NEW);
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
        throw new IOException("a stored content is damaged: it is not " + size + " bytes long");
    }

    private static void unpack(Stretch frame, Path path, String sha256) throws IOException {
        MessageDigest digest = Sha256.begin();
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW);
                InputStream in = new DigestInputStream(new ZstdInputStream(frame), digest)) {
            in.transferTo(out);
            frame.drain();
        }
        requireWhole(digest, sha256);
    }

    private static void requireWhole(MessageDigest digest, String sha256) throws IOException {
        if (!Sha256.hex(digest).equals(sha256)) {
            throw new IOException("a stored content is damaged: " + sha256);
        }
    }

    private static Path at(Path folder, ManifestEntry entry) {
        return folder.resolve(entry.path().value());
    }

    private static void finish(Path path, FileStat stat) throws IOException {
        Files.setAttribute(path, "unix:mode", stat.mode() & MODE_BITS);
        setTime(path, stat);
    }

    private static void setTime(Path path, FileStat stat) throws IOException {
        FileTime time = FileTime.from(stat.modified());
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(time, time, null);
    }
}
