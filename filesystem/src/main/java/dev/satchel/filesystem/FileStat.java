package dev.satchel.filesystem;

import java.time.Instant;

/**
 * The attributes of a file; of a link those of the link itself. {@code mode} holds the permission
 * bits. If the system does not provide them, {@code links} and {@code inode} are 0 and {@code
 * changed} is {@code modified}.
 */
public record FileStat(
        Kind kind, long size, Instant modified, Instant changed, int mode, int links, long inode) {

    public enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        /** A FIFO, socket or device: listed, never opened. */
        OTHER
    }

    /**
     * A text that is different after every change of the content: a process that writes to a file
     * changes its ctime and cannot set it back.
     */
    public String versionTag() {
        return "%x-%x-%s-%s".formatted(inode, size, hex(modified), hex(changed));
    }

    private static String hex(Instant time) {
        return Long.toHexString(time.getEpochSecond() * 1_000_000_000L + time.getNano());
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }
}
