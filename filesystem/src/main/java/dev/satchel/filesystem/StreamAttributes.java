package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;

/** Attributes of files in a directory stream, as a {@link FileStat}. */
final class StreamAttributes {
    private StreamAttributes() {}

    /** Stats the last name of the path in its directory, links not followed. */
    static FileStat stat(SecureDirectoryStream<Path> directory, WorkspacePath path)
            throws IOException {
        PosixFileAttributes found = view(directory, path.name()).readAttributes();
        Instant modified = found.lastModifiedTime().toInstant();
        return new FileStat(
                kind(found), found.size(), modified, modified, mode(found.permissions()), 0, 0);
    }

    static PosixFileAttributeView view(SecureDirectoryStream<Path> directory, String name) {
        return directory.getFileAttributeView(
                Path.of(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Gives a new file the owner and group of its directory. */
    static void setOwner(SecureDirectoryStream<Path> directory, PosixFileAttributeView file)
            throws IOException {
        PosixFileAttributes parent =
                directory.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
        PosixFileAttributes own = file.readAttributes();
        if (!own.owner().equals(parent.owner())) {
            file.setOwner(parent.owner());
            file.setGroup(parent.group());
        }
    }

    private static FileStat.Kind kind(PosixFileAttributes found) {
        if (found.isRegularFile()) {
            return FileStat.Kind.FILE;
        }
        if (found.isDirectory()) {
            return FileStat.Kind.DIRECTORY;
        }
        return found.isSymbolicLink() ? FileStat.Kind.LINK : FileStat.Kind.OTHER;
    }

    static Set<PosixFilePermission> permissions(int mode) {
        StringBuilder letters = new StringBuilder("rwxrwxrwx");
        for (int i = 0; i < letters.length(); i++) {
            if ((mode & (1 << (letters.length() - 1 - i))) == 0) {
                letters.setCharAt(i, '-');
            }
        }
        return PosixFilePermissions.fromString(letters.toString());
    }

    private static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (char letter : PosixFilePermissions.toString(permissions).toCharArray()) {
            mode = mode << 1 | (letter == '-' ? 0 : 1);
        }
        return mode;
    }
}
