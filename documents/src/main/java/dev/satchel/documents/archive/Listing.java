package dev.satchel.documents.archive;

import dev.satchel.documents.DocumentPart;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.LimitReachedException;
import dev.satchel.documents.reading.PartWriter;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Writes the entries of an archive, one on each line: size, time, name. */
final class Listing {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    private final PartWriter out;
    private final int maxEntries;
    private long entries;
    private long bytes;

    Listing(PartWriter out, ExtractRequest request) {
        this.out = out;
        this.maxEntries = request.limits().unpacking().maxEntries();
    }

    void begin() throws IOException {
        out.begin(DocumentPart.Kind.ENTRY, 1, null);
    }

    /** An entry; the size is negative if it is not known. */
    void entry(String name, long size, @Nullable Instant time) throws IOException {
        if (entries >= maxEntries) {
            out.end();
            throw new LimitReachedException(
                    "Only the first " + maxEntries + " entries are shown; the rest is missing.");
        }
        entries++;
        bytes += Math.max(0, size);
        out.append(size < 0 ? "?" : String.valueOf(size))
                .append('\t')
                .append(time == null ? "" : TIME.format(time))
                .append('\t')
                .append(name.replaceAll("\\p{Cntrl}", "\ufffd"))
                .append('\n');
    }

    void end() throws IOException {
        out.append("[" + entries + " entries, " + bytes + " bytes unpacked]");
        out.end();
    }
}
