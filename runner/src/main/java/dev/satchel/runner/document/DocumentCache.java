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
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The lines of documents that were read, as files by the hash of the documents, up to a size and an
 * age; what was not used for longest goes first. The time of a file is when its document was read,
 * so that a text is erased in time also after a restart, and however often it is used. No sandbox
 * sees the directory. Safe for threads.
 */
final class DocumentCache {
    private final Path directory;
    private final long maxBytes;
    private final Duration maxAge;
    private final Clock clock;
    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long total;

    private record Entry(long size, Instant since) {}

    DocumentCache(Path directory, long maxBytes, Duration maxAge, Clock clock) throws IOException {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.maxAge = maxAge;
        this.clock = clock;
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        load();
    }

    /** The stored lines; the caller closes them. */
    synchronized Optional<InputStream> open(String key) throws IOException {
        removeOld();
        if (entries.get(key) == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.newInputStream(directory.resolve(key)));
        } catch (NoSuchFileException _) { // removed by another program
            forget(key);
            return Optional.empty();
        }
    }

    synchronized boolean has(String key) {
        return entries.containsKey(key);
    }

    /** Erases what was read too long ago. */
    synchronized void removeOld() throws IOException {
        Instant oldest = clock.instant().minus(maxAge);
        List<String> old =
                entries.entrySet().stream()
                        .filter(entry -> entry.getValue().since().isBefore(oldest))
                        .map(Map.Entry::getKey)
                        .toList();
        for (String key : old) {
            Files.deleteIfExists(directory.resolve(key));
            forget(key);
        }
    }

    /** Takes a file of the same file system over, and opens it. */
    synchronized InputStream store(String key, Path lines) throws IOException {
        Instant now = clock.instant();
        Files.setLastModifiedTime(lines, FileTime.from(now));
        Entry entry = new Entry(Files.size(lines), now);
        Path file = directory.resolve(key);
        Files.move(
                lines, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        InputStream in = Files.newInputStream(file); // stays readable when it is removed
        forget(key);
        entries.put(key, entry);
        total += entry.size();
        evict();
        return in;
    }

    private void evict() throws IOException {
        Iterator<Map.Entry<String, Entry>> oldestFirst = entries.entrySet().iterator();
        while (total > maxBytes && oldestFirst.hasNext()) {
            Map.Entry<String, Entry> oldest = oldestFirst.next();
            oldestFirst.remove();
            total -= oldest.getValue().size();
            Files.deleteIfExists(directory.resolve(oldest.getKey()));
        }
    }

    private void forget(String key) {
        Entry removed = entries.remove(key);
        total -= removed == null ? 0 : removed.size();
    }

    private void load() throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.toList();
        }
        Map<Path, Entry> found = new HashMap<>();
        for (Path file : files) {
            Instant since = Files.getLastModifiedTime(file).toInstant();
            found.put(file, new Entry(Files.size(file), since));
        }
        found.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().since()))
                .forEach(
                        entry -> {
                            entries.put(entry.getKey().getFileName().toString(), entry.getValue());
                            total += entry.getValue().size();
                        });
        removeOld();
        evict();
    }
}
