package dev.satchel.documents.archive;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.xml.DocumentZip;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.zip.ZipEntry;

/** The listing of a zip file, by its directory; nothing is unpacked. */
public final class ZipReader implements DocumentReader {
    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (DocumentZip zip = DocumentZip.openArchive(file, request.limits().unpacking())) {
            out.header(DocumentFormat.ZIP, 1, null);
            Listing listing = new Listing(out, request);
            listing.begin();
            for (ZipEntry entry : zip.entries()) {
                FileTime time = entry.getLastModifiedTime();
                listing.entry(
                        entry.getName(), entry.getSize(), time == null ? null : time.toInstant());
            }
            listing.end();
        }
    }
}
