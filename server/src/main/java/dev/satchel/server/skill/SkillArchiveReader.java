package dev.satchel.server.skill;

import dev.satchel.http.BoundedInputStream;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.archive.TarReader;
import dev.satchel.server.archive.ZipDirectory;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads a skill from an archive that a client sent: zip, tar or tar.gz. The archive is read to its
 * end, and bytes are counted while they are unpacked: what the archive says of them is not trusted.
 */
final class SkillArchiveReader {
    /** What an entry of a tar may take beside its content. */
    private static final long ENTRY_BYTES = 4 * 1024;

    /** Programs pad an archive with zeros to a multiple of a record size. */
    private static final int MAX_PADDING = 1024 * 1024;

    private final SkillLimits limits;

    SkillArchiveReader(SkillLimits limits) {
        this.limits = limits;
    }

    SkillContent read(byte[] archive) {
        SkillFileCollector files = new SkillFileCollector(limits);
        try {
            if (startsWith(archive, 'P', 'K')) {
                readZip(archive, files);
            } else if (startsWith(archive, 0x1f, 0x8b)) {
                try (InputStream tar = new GZIPInputStream(new ByteArrayInputStream(archive))) {
                    readTar(tar, files);
                }
            } else {
                readTar(new ByteArrayInputStream(archive), files);
            }
        } catch (EOFException e) {
            throw refused("the archive is cut short");
        } catch (ZipException e) {
            throw refused("the archive is damaged or encrypted");
        } catch (IOException
                | IllegalArgumentException e) { // the latter for names that are no text
            throw refused("the file is not a readable zip, tar or tar.gz archive");
        }
        return files.content();
    }

    private void readZip(byte[] archive, SkillFileCollector files) throws IOException {
        ZipDirectory directory = ZipDirectory.of(archive);
        for (String link : directory.links()) {
            throw SkillFileCollector.isALink(link);
        }
        int entries = 0;
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries++;
                if (entry.isDirectory()) {
                    files.addDirectory(entry.getName());
                } else {
                    files.addFile(entry.getName(), zip);
                }
            }
        }
        if (entries != directory.entries()) {
            throw new ZipException("the directory of the archive has other entries");
        }
    }

    private void readTar(InputStream in, SkillFileCollector files) throws IOException {
        long most = limits.maxBytes() + limits.maxFiles() * ENTRY_BYTES + MAX_PADDING;
        try (InputStream bounded =
                BoundedInputStream.refusingMoreThan(in, most, "the archive, unpacked,")) {
            TarReader tar = new TarReader(bounded);
            for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
                switch (entry.kind()) {
                    case DIRECTORY -> files.addDirectory(entry.name());
                    case FILE -> files.addFile(entry.name(), tar.content());
                    case LINK, HARD_LINK -> throw SkillFileCollector.isALink(entry.name());
                    case OTHER ->
                            throw refused(
                                    SkillFileCollector.quoted(entry.name())
                                            + " is neither a file nor a folder");
                }
            }
            bounded.transferTo(OutputStream.nullOutputStream()); // a checksum is at the end
        }
    }

    private static boolean startsWith(byte[] archive, int first, int second) {
        return archive.length > 1 && (archive[0] & 0xff) == first && (archive[1] & 0xff) == second;
    }

    static SatchelException refused(String reason) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, reason);
    }
}
