package dev.satchel.runner.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A whole workspace on the wire: a line per entry, a directory before what is in it, and after a
 * file's line its bytes where they go along. An empty line ends it, so cut short is not whole.
 */
public final class WorkspaceStream {
    private static final int MAX_LINE_BYTES = 64 * 1024;
    private static final int BUFFER = 64 * 1024;

    /** Who runs as root must not make what somebody else's program marked as its owner's. */
    private static final int MODE_BITS = 01777;

    private WorkspaceStream() {}

    /** Every entry, without bytes. Leaves the stream open. */
    public static void writeEntries(SafeDirectory directory, OutputStream out) throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            Optional<String> target = target(directory, entry);
            if (entry.stat().kind() != FileStat.Kind.LINK || target.isPresent()) {
                writeLine(WorkspaceEntryLine.of(entry, target.orElse(null)).json(), out);
            }
        }
        writeLine("", out);
    }

    /** Every entry with its bytes, of a workspace that nobody writes to. Leaves it open. */
    public static void writeAll(SafeDirectory directory, OutputStream out) throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            if (entry.stat().kind() == FileStat.Kind.OTHER) {
                continue; // nothing can carry what is on the other end
            }
            if (!entry.stat().isFile()) {
                writeLine(
                        WorkspaceEntryLine.of(entry, target(directory, entry).orElse(null)).json(),
                        out);
                continue;
            }
            try (OpenFile file = directory.open(entry.path())) {
                WorkspaceEntry opened = new WorkspaceEntry(entry.path(), file.stat());
                writeLine(WorkspaceEntryLine.of(opened, null).json(), out);
                writeBytes(file, out);
            }
        }
        writeLine("", out);
    }

    /** The named files with their bytes, in this order; those that are none are left out. */
    public static void writeFiles(
            SafeDirectory directory, List<WorkspacePath> files, OutputStream out)
            throws IOException {
        for (WorkspacePath path : files) {
            try (OpenFile file = directory.open(path)) {
                writeLine(
                        WorkspaceEntryLine.of(new WorkspaceEntry(path, file.stat()), null).json(),
                        out);
                writeBytes(file, out);
            } catch (FileSystemException _) {
                // gone, or something else by now
            }
        }
        writeLine("", out);
    }

    /** What the line before has promised, even of a file that is being changed. */
    private static void writeBytes(OpenFile file, OutputStream out) throws IOException {
        InputStream in = Channels.newInputStream(file.channel());
        byte[] buffer = new byte[BUFFER];
        for (long rest = file.stat().size(); rest > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
            if (count < 0) {
                throw new EOFException("a file has shrunk while it was read");
            }
            out.write(buffer, 0, count);
            rest -= count;
        }
    }

    /** The next line of {@link #writeFiles}, whose bytes follow; empty at the end. */
    public static Optional<WorkspaceEntryLine> readFile(InputStream in) throws IOException {
        String line = readLine(in);
        return line.isEmpty() ? Optional.empty() : Optional.of(WorkspaceEntryLine.parse(line));
    }

    /** The entries that {@link #writeEntries} has written. */
    public static List<WorkspaceEntryLine> readEntries(InputStream in) throws IOException {
        List<WorkspaceEntryLine> entries = new ArrayList<>();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            entries.add(WorkspaceEntryLine.parse(line));
        }
        return entries;
    }

    /** Puts what {@link #writeAll} has written into an empty folder; links when nothing follows. */
    public static void readAll(InputStream in, Path folder) throws IOException {
        List<WorkspaceEntryLine> later = new ArrayList<>();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            WorkspaceEntryLine entry = WorkspaceEntryLine.parse(line);
            Path path = folder.resolve(entry.workspacePath().value());
            switch (entry.kind()) {
                case DIRECTORY -> {
                    Files.createDirectory(path);
                    later.addFirst(entry); // its time changes with what is put into it
                }
                case LINK -> later.addFirst(entry);
                case FILE -> {
                    writeFile(in, entry.size(), path);
                    finish(path, entry.stat());
                }
                case OTHER -> throw new IOException("no " + entry.kind() + " can be sent");
            }
        }
        for (WorkspaceEntryLine entry : later) {
            Path path = folder.resolve(entry.workspacePath().value());
            if (entry.kind() == FileStat.Kind.LINK) {
                Files.createSymbolicLink(path, Path.of(required(entry.target())));
                setTime(path, entry.stat());
            } else {
                finish(path, entry.stat());
            }
        }
    }

    private static void writeFile(InputStream in, long size, Path path) throws IOException {
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[(int) Math.min(64 * 1024, Math.max(1, size))];
            for (long rest = size; rest > 0; ) {
                int count = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
                if (count < 0) {
                    throw new EOFException("a workspace was cut short on its way");
                }
                out.write(buffer, 0, count);
                rest -= count;
            }
        }
    }

    private static void finish(Path path, FileStat stat) throws IOException {
        Files.setAttribute(path, "unix:mode", stat.mode() & MODE_BITS);
        setTime(path, stat);
    }

    private static void setTime(Path path, FileStat stat) throws IOException {
        FileTime time = FileTime.from(stat.modified());
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(time, time, null);
    }

    private static Optional<String> target(SafeDirectory directory, WorkspaceEntry entry)
            throws IOException {
        if (entry.stat().kind() != FileStat.Kind.LINK) {
            return Optional.empty();
        }
        try {
            return Optional.of(directory.readLink(entry.path()));
        } catch (FileSystemException e) {
            return Optional.empty(); // gone in this moment
        }
    }

    private static void writeLine(String line, OutputStream out) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String readLine(InputStream in) throws IOException {
        java.io.ByteArrayOutputStream line = new java.io.ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0 || line.size() == MAX_LINE_BYTES) {
                throw new EOFException("a workspace was cut short on its way");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static String required(@Nullable String target) throws IOException {
        if (target == null) {
            throw new IOException("a link without a target");
        }
        return target;
    }
}
