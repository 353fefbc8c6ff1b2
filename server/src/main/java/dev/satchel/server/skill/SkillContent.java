package dev.satchel.server.skill;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The files of a skill by path, and what its {@code SKILL.md} says of it. */
record SkillContent(SkillName name, String description, SortedMap<String, byte[]> files) {
    static final String INSTRUCTIONS = "SKILL.md";

    /** Zip has no time before it. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    /** A file of a skill. */
    record File(String path, long size) {}

    SkillContent {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    List<File> entries() {
        return files.entrySet().stream()
                .map(file -> new File(file.getKey(), file.getValue().length))
                .toList();
    }

    long bytes() {
        return files.values().stream().mapToLong(file -> file.length).sum();
    }

    /**
     * A zip without compression: the same files are the same bytes on every machine, so that the
     * hash of the archive is one of the content.
     */
    byte[] archive() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(entry(file.getKey(), file.getValue()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a stream in memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static ZipEntry entry(String path, byte[] content) {
        CRC32 checksum = new CRC32();
        checksum.update(content);
        ZipEntry entry = new ZipEntry(path);
        entry.setMethod(ZipEntry.STORED);
        entry.setTimeLocal(TIME);
        entry.setSize(content.length);
        entry.setCompressedSize(content.length);
        entry.setCrc(checksum.getValue());
        return entry;
    }
}
