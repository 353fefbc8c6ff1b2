package dev.satchel.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.protocol.Json;
import dev.satchel.server.file.ArchiveEntryNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A zip that is written while it is sent. If that fails, its directory is missing, so that it
 * cannot be mistaken for a complete one.
 */
final class ExportArchive {
    /** More names than this are counted only. */
    private static final int MAX_LEFT_OUT = 1_000;

    private final ZipOutputStream zip;
    private final List<String> leftOut = new ArrayList<>();
    private long othersLeftOut;

    ExportArchive(OutputStream out) {
        this.zip = new ZipOutputStream(out);
        this.zip.setLevel(Deflater.BEST_SPEED);
    }

    /** Receives the parts of a list. */
    @FunctionalInterface
    interface Items {
        void writeTo(Sink sink) throws IOException;
    }

    /** Takes the next item of a list. */
    @FunctionalInterface
    interface Sink {
        void add(Map<String, Object> item) throws IOException;
    }

    /** An array of JSON; each item is written as it comes. */
    void list(String name, Items items) throws IOException {
        zip.putNextEntry(new ZipEntry(name + ".json"));
        zip.write('[');
        boolean[] any = new boolean[1];
        items.writeTo(
                item -> {
                    zip.write((any[0] ? ",\n" : "\n").getBytes(UTF_8));
                    zip.write(Json.MAPPER.writeValueAsBytes(item));
                    any[0] = true;
                });
        zip.write("\n]\n".getBytes(UTF_8));
        zip.closeEntry();
    }

    /** Writes one entry, and does not close it. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    void entry(String name, Content content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        content.writeTo(zip);
        zip.closeEntry();
    }

    void file(String name, InputStream content) throws IOException {
        zip.putNextEntry(new ZipEntry(ArchiveEntryNames.portable(name)));
        content.transferTo(zip);
        zip.closeEntry();
    }

    /** Names something that could not be read. */
    void leaveOut(String name) {
        if (leftOut.size() < MAX_LEFT_OUT) {
            leftOut.add(name);
        } else {
            othersLeftOut++;
        }
    }

    void finish() throws IOException {
        if (!leftOut.isEmpty()) {
            zip.putNextEntry(new ZipEntry("left-out.json"));
            zip.write(
                    Json.MAPPER.writeValueAsBytes(
                            Map.of("paths", leftOut, "others", othersLeftOut)));
            zip.closeEntry();
        }
        zip.finish();
    }
}
