package dev.satchel.server.bag;

import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes files of the object store as one zip, one after the other. */
public final class BagZipWriter {
    private final ObjectStore objects;

    public BagZipWriter(ObjectStore objects) {
        this.objects = objects;
    }

    /**
     * Gives each file the entry of that name, which no other has. After a failure the zip has no
     * directory, so that it cannot be mistaken for a complete one.
     */
    public void write(List<BagFile> files, Function<BagFile, String> entryName, OutputStream out)
            throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        zip.setLevel(Deflater.BEST_SPEED);
        for (BagFile file : files) {
            ZipEntry entry = new ZipEntry(entryName.apply(file));
            entry.setTime(file.createdAt());
            zip.putNextEntry(entry);
            try (InputStream content = objects.open(file.storageKey())) {
                content.transferTo(zip);
            }
            zip.closeEntry();
        }
        zip.finish();
        out.close();
    }
}
