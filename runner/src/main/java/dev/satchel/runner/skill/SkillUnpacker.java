package dev.satchel.runner.skill;

import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.RunConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Unpacks the archive of a skill. It must have exactly the hash, the files and the bytes that the
 * server has announced.
 */
final class SkillUnpacker {
    private static final int DIRECTORY = 0755;
    private static final int READABLE = 0444;
    private static final int EXECUTABLE = 0555;
    private static final int BUFFER = 64 * 1024;

    /** Of every file, so that the same skill looks the same on every machine. */
    private static final Instant TIME = Instant.parse("2000-01-01T00:00:00Z");

    private final SafeDirectory directory;

    SkillUnpacker(SafeDirectory directory) {
        this.directory = directory;
    }

    /** Into a folder with the name of the skill. */
    void unpack(RunConfig.Skill skill, InputStream archive) throws IOException {
        DigestInputStream bytes = new DigestInputStream(archive, sha256());
        WorkspacePath folder = new WorkspacePath(skill.name());
        makeDirectory(folder);
        int files = 0;
        long size = 0;
        ZipInputStream zip = new ZipInputStream(bytes); // the caller closes its stream
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            files++;
            if (files > skill.files()) {
                throw new IOException("the skill has more files than announced");
            }
            size += write(path(folder, entry), zip, skill.bytes() - size);
        }
        bytes.transferTo(OutputStream.nullOutputStream());
        String hash = HexFormat.of().formatHex(bytes.getMessageDigest().digest());
        if (!hash.equals(skill.sha256()) || files != skill.files() || size != skill.bytes()) {
            throw new IOException("the archive of the skill is not the one that was announced");
        }
    }

    private static WorkspacePath path(WorkspacePath folder, ZipEntry entry) throws IOException {
        try {
            return folder.resolve(entry.getName());
        } catch (IllegalArgumentException e) {
            throw new IOException("the skill has a path that leads out", e);
        }
    }

    /** A file that begins with {@code #!} is a program. Returns its size. */
    private long write(WorkspacePath path, InputStream content, long room) throws IOException {
        makeDirectories(path.parent());
        byte[] first = content.readNBytes(2);
        boolean isProgram = first.length == 2 && first[0] == '#' && first[1] == '!';
        long size = first.length;
        try (NewFile file = directory.create(path)) {
            file.channel().write(ByteBuffer.wrap(first));
            byte[] buffer = new byte[BUFFER];
            for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
                size += n;
                if (size > room) {
                    throw new IOException("the skill has more bytes than announced");
                }
                ByteBuffer piece = ByteBuffer.wrap(buffer, 0, n);
                while (piece.hasRemaining()) {
                    file.channel().write(piece);
                }
            }
            file.commit();
        }
        directory.setAttributes(path, isProgram ? EXECUTABLE : READABLE, TIME);
        return size;
    }

    private void makeDirectories(WorkspacePath path) throws IOException {
        WorkspacePath made = WorkspacePath.ROOT;
        for (String name : path.names()) {
            made = made.resolve(name);
            makeDirectory(made);
        }
    }

    /** Whatever the umask is, the user of a run can read it. */
    private void makeDirectory(WorkspacePath path) throws IOException {
        directory.createDirectories(path);
        directory.setAttributes(path, DIRECTORY, TIME);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
