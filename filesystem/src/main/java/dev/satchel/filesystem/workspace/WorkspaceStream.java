package dev.satchel.filesystem.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Entries of a workspace as a stream of bytes. A directory comes before its entries. The content of
 * a file follows its entry where the stream carries contents. A zero byte ends the stream, so a
 * stream that was cut short is recognized.
 */
public final class WorkspaceStream {
    private static final int BUFFER = 64 * 1024;
    private static final int END = 0;

    /** Without setuid and setgid: a process that runs as root must not create such a file. */
    private static final int MODE_BITS = 01777;

    private WorkspaceStream() {}

    /** An entry and, of a symbolic link, its target; the target is empty otherwise. */
    public record Item(WorkspaceEntry entry, String target) {}

    /** Writes every entry, without contents. Leaves the stream open. */
    public static void writeEntries(SafeDirectory directory, DataOutputStream out)
            throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            Optional<Item> item = item(directory, entry);
            if (item.isPresent()) {
                write(item.get(), out);
            }
        }
        out.write(END);
    }

    /** Writes one entry; the path must exist. A link is not followed. */
    public static void writeEntry(SafeDirectory directory, WorkspacePath path, DataOutputStream out)
            throws IOException {
        FileStat stat = directory.stat(path);
        String target = stat.kind() == FileStat.Kind.LINK ? directory.readLink(path) : "";
        write(new Item(new WorkspaceEntry(path, stat), target), out);
    }

    /** Writes one entry without a link's target. */
    public static void writeEntry(WorkspaceEntry entry, DataOutputStream out) throws IOException {
        write(new Item(entry, ""), out);
    }

    /**
     * Writes every entry with its content. No other thread or process may write to the workspace
     * meanwhile. Leaves the stream open.
     */
    public static void writeAll(SafeDirectory directory, DataOutputStream out) throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            switch (entry.stat().kind()) {
                case FILE -> {
                    try (OpenFile file = directory.open(entry.path())) {
                        writeFile(entry.path(), file, out);
                    }
                }
                case DIRECTORY, LINK -> {
                    Optional<Item> item = item(directory, entry);
                    if (item.isPresent()) {
                        write(item.get(), out);
                    }
                }
                case OTHER -> {} // FIFOs, sockets and devices have no content to copy
            }
        }
        out.write(END);
    }

    /** Writes the named files with their contents, in this order; leaves out missing ones. */
    public static void writeFiles(
            SafeDirectory directory, List<WorkspacePath> files, DataOutputStream out)
            throws IOException {
        for (WorkspacePath path : files) {
            try (OpenFile file = directory.open(path)) {
                writeFile(path, file, out);
            } catch (FileSystemException _) {
                // removed meanwhile, or not a regular file any more
            }
        }
        out.write(END);
    }

    /** Reads the next entry; empty at the end of the stream. */
    public static Optional<Item> read(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        if (kind == END) {
            return Optional.empty();
        }
        try {
            WorkspacePath path = new WorkspacePath(in.readUTF());
            FileStat stat =
                    new FileStat(
                            kind(kind),
                            in.readLong(),
                            Instant.ofEpochSecond(in.readLong(), in.readInt()),
                            Instant.ofEpochSecond(in.readLong(), in.readInt()),
                            in.readInt(),
                            in.readInt(),
                            in.readLong());
            return Optional.of(new Item(new WorkspaceEntry(path, stat), in.readUTF()));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new IOException("invalid entry in a workspace stream", e);
        }
    }

    /**
     * Puts what {@link #writeAll} has written into an empty directory. Links come last, so that
     * nothing is written through one.
     */
    public static void readAll(DataInputStream in, Path directory) throws IOException {
        List<Item> last = new ArrayList<>();
        for (Optional<Item> next = read(in); next.isPresent(); next = read(in)) {
            Item item = next.get();
            FileStat stat = item.entry().stat();
            Path path = directory.resolve(item.entry().path().value());
            switch (stat.kind()) {
                case DIRECTORY -> {
                    Files.createDirectory(path);
                    last.addFirst(item); // its time changes with every entry that is added
                }
                case LINK -> last.addFirst(item);
                case FILE -> {
                    try (OutputStream out =
                            Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
                        copy(in, stat.size(), out);
                    }
                    setAttributes(path, stat);
                }
                case OTHER -> throw new IOException("a workspace stream carries no devices");
            }
        }
        for (Item item : last) {
            Path path = directory.resolve(item.entry().path().value());
            if (item.entry().stat().kind() == FileStat.Kind.LINK) {
                Files.createSymbolicLink(path, Path.of(item.target()));
                setTime(path, item.entry().stat());
            } else {
                setAttributes(path, item.entry().stat());
            }
        }
    }

    /** Copies exactly {@code size} bytes. */
    public static void copy(InputStream in, long size, OutputStream out) throws IOException {
        byte[] buffer = new byte[Math.clamp(size, 1, BUFFER)];
        for (long rest = size; rest > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
            if (count < 0) {
                throw new EOFException("the content ended " + rest + " bytes early");
            }
            out.write(buffer, 0, count);
            rest -= count;
        }
    }

    /** Writes as many bytes as the entry announces, even if the file is being changed. */
    private static void writeFile(WorkspacePath path, OpenFile file, DataOutputStream out)
            throws IOException {
        write(new Item(new WorkspaceEntry(path, file.stat()), ""), out);
        copy(Channels.newInputStream(file.channel()), file.stat().size(), out);
    }

    private static void write(Item item, DataOutputStream out) throws IOException {
        FileStat stat = item.entry().stat();
        out.writeByte(letter(stat.kind()));
        out.writeUTF(item.entry().path().value());
        out.writeLong(stat.size());
        write(stat.modified(), out);
        write(stat.changed(), out);
        out.writeInt(stat.mode());
        out.writeInt(stat.links());
        out.writeLong(stat.inode());
        out.writeUTF(item.target());
    }

    private static char letter(FileStat.Kind kind) {
        return switch (kind) {
            case FILE -> 'f';
            case DIRECTORY -> 'd';
            case LINK -> 'l';
            case OTHER -> 'o';
        };
    }

    private static FileStat.Kind kind(int letter) {
        return switch (letter) {
            case 'f' -> FileStat.Kind.FILE;
            case 'd' -> FileStat.Kind.DIRECTORY;
            case 'l' -> FileStat.Kind.LINK;
            case 'o' -> FileStat.Kind.OTHER;
            default -> throw new IllegalArgumentException("unknown kind of entry");
        };
    }

    private static void write(Instant time, DataOutputStream out) throws IOException {
        out.writeLong(time.getEpochSecond());
        out.writeInt(time.getNano());
    }

    /** Empty for a link that was removed meanwhile. */
    private static Optional<Item> item(SafeDirectory directory, WorkspaceEntry entry)
            throws IOException {
        if (entry.stat().kind() != FileStat.Kind.LINK) {
            return Optional.of(new Item(entry, ""));
        }
        try {
            return Optional.of(new Item(entry, directory.readLink(entry.path())));
        } catch (FileSystemException e) {
            return Optional.empty();
        }
    }

    private static void setAttributes(Path path, FileStat stat) throws IOException {
        Files.setAttribute(path, "unix:mode", stat.mode() & MODE_BITS);
        setTime(path, stat);
    }

    private static void setTime(Path path, FileStat stat) throws IOException {
        FileTime time = FileTime.from(stat.modified());
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(time, time, null);
    }
}
