package dev.satchel.documents.xml;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The zip file of a document. All that is unpacked from it is counted together, so that neither one
 * entry nor many can blow up. Archives inside it are never opened.
 */
public final class DocumentZip implements AutoCloseable {
    private final ZipFile zip;
    private final InflationLimit limit;
    private final Map<String, ZipEntry> lowerCase = new HashMap<>();

    private DocumentZip(ZipFile zip, long fileSize, UnpackingLimits limits) {
        this.zip = zip;
        this.limit = new InflationLimit(fileSize, limits);
    }

    /** An archive of which only the entries are read, however many there are. */
    public static DocumentZip openArchive(Path file, UnpackingLimits limits) throws IOException {
        return new DocumentZip(zip(file), file.toFile().length(), limits);
    }

    private static ZipFile zip(Path file) throws IOException {
        try {
            return new ZipFile(file.toFile());
        } catch (ZipException e) {
            throw refused(e);
        }
    }

    public static DocumentZip open(Path file, UnpackingLimits limits) throws IOException {
        ZipFile zip = zip(file);
        if (zip.size() > limits.maxEntries()) {
            int size = zip.size();
            zip.close();
            throw new DocumentException(
                    Failure.Code.TOO_LARGE,
                    "The file has %d entries, the limit is %d."
                            .formatted(size, limits.maxEntries()));
        }
        return new DocumentZip(zip, file.toFile().length(), limits);
    }

    /** The content of an entry. The caller closes it. */
    public InputStream open(String name) throws IOException {
        InputStream in = find(name);
        if (in == null) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The file is damaged: its part " + name + " is missing.");
        }
        return in;
    }

    /** The content of an entry, null if there is none. The caller closes it. */
    public @Nullable InputStream find(String name) throws IOException {
        ZipEntry entry = entry(name);
        if (entry == null) {
            return null;
        }
        try {
            return limit.count(zip.getInputStream(entry));
        } catch (ZipException e) {
            throw refused(e);
        }
    }

    /** The XML of an entry. The caller closes it. */
    public XmlCursor openXml(String name) throws IOException {
        return new XmlCursor(open(name));
    }

    /** The XML of an entry, empty if there is none. The caller closes it. */
    public Optional<XmlCursor> findXml(String name) throws IOException {
        InputStream in = find(name);
        return in == null ? Optional.empty() : Optional.of(new XmlCursor(in));
    }

    public boolean has(String name) {
        return entry(name) != null;
    }

    /** The entries in the order of the archive. */
    public Iterable<ZipEntry> entries() {
        return () -> zip.stream().<ZipEntry>map(entry -> entry).iterator();
    }

    /** The first bytes of an entry, as text; empty if there is none. */
    public String start(String name, int bytes) throws IOException {
        try (InputStream in = find(name)) {
            return in == null ? "" : new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** Names of parts ignore case, and some writers use that. */
    private @Nullable ZipEntry entry(String name) {
        String plain = name.startsWith("/") ? name.substring(1) : name;
        ZipEntry entry = zip.getEntry(plain);
        if (entry != null) {
            return entry;
        }
        if (lowerCase.isEmpty()) {
            Enumeration<? extends ZipEntry> all = zip.entries();
            while (all.hasMoreElements()) {
                ZipEntry each = all.nextElement();
                lowerCase.put(each.getName().replace('\\', '/').toLowerCase(Locale.ROOT), each);
            }
        }
        return lowerCase.get(plain.toLowerCase(Locale.ROOT));
    }

    private static DocumentException refused(ZipException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("encrypted")) {
            return new DocumentException(
                    Failure.Code.ENCRYPTED, "The file is protected by a password.");
        }
        return new DocumentException(
                Failure.Code.BROKEN, "The file is damaged or incomplete: " + message + ".");
    }
}
