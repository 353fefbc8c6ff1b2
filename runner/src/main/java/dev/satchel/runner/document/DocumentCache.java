package dev.satchel.runner.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The lines of documents that were read, as files by the hash of the documents, up to a size; what
 * was not used for longest goes first. No sandbox sees the directory. Safe for threads.
 */
final class DocumentCache {
    private final Path directory;
    private final long maxBytes;
    private final Clock clock;
    private final Map<String, Long> sizes = new LinkedHashMap<>(16, 0.75f, true);
    private long total;

    DocumentCache(Path directory, long maxBytes, Clock clock) throws IOException {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.clock = clock;
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        load();
    }

    /** The stored lines; the caller closes them. */
    synchronized Optional<InputStream> open(String key) throws IOException {
        if (sizes.get(key) == null) {
            return Optional.empty();
        }
        Path file = directory.resolve(key);
        try {
            InputStream in = Files.newInputStream(file);
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            return Optional.of(in);
        } catch (NoSuchFileException _) { // removed by another program
            forget(key);
            return Optional.empty();
        }
    }

    synchronized boolean has(String key) {
        return sizes.containsKey(key);
    }

    /** Takes a file of the same file system over, and opens it. */
    synchronized InputStream store(String key, Path lines) throws IOException {
        long size = Files.size(lines);
        Path file = directory.resolve(key);
        Files.move(
                lines, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        InputStream in = Files.newInputStream(file); // stays readable when it is removed
        forget(key);
        sizes.put(key, size);
        total += size;
        evict();
        return in;
    }

    private void evict() throws IOException {
        Iterator<Map.Entry<String, Long>> oldestFirst = sizes.entrySet().iterator();
        while (total > maxBytes && oldestFirst.hasNext()) {
            Map.Entry<String, Long> oldest = oldestFirst.next();
            oldestFirst.remove();
            total -= oldest.getValue();
            Files.deleteIfExists(directory.resolve(oldest.getKey()));
        }
    }

    private void forget(String key) {
        Long size = sizes.remove(key);
        total -= size == null ? 0 : size;
    }

    private void load() throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.toList();
        }
        Map<Path, FileTime> used = new HashMap<>();
        for (Path file : files) {
            used.put(file, Files.getLastModifiedTime(file));
        }
        List<Path> oldestFirst = new ArrayList<>(files);
        oldestFirst.sort(Comparator.comparing(used::get));
        for (Path file : oldestFirst) {
            long size = Files.size(file);
            sizes.put(file.getFileName().toString(), size);
            total += size;
        }
        evict();
    }
}
