package dev.satchel.server.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.function.Predicate;

/** A live workspace; an agent may be working in it. */
public record LiveWorkspaceView(SafeDirectory directory) implements WorkspaceView {
    @Override
    public WorkspaceSource source() {
        return WorkspaceSource.LIVE;
    }

    @Override
    public void walk(Visitor visitor) throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            if (!visitor.visit(entry)) {
                walk.skip();
            }
        }
    }

    @Override
    public void visit(Predicate<WorkspaceEntry> wanted, SafeDirectory.Visitor visitor)
            throws IOException {
        directory.visit(wanted, visitor);
    }

    @Override
    public WorkspaceFile open(WorkspacePath path) throws IOException {
        return new LiveFile(directory.open(path));
    }

    @Override
    public String linkTarget(WorkspacePath link) throws IOException {
        return directory.readLink(link);
    }

    @Override
    public void close() {
        directory.close();
    }

    /** A file of a live workspace, as it was when it was opened. */
    record LiveFile(OpenFile file) implements WorkspaceFile {
        @Override
        public FileStat stat() {
            return file.stat();
        }

        @Override
        public String etag() {
            return file.stat().versionTag();
        }

        @Override
        public InputStream open(long offset, long length) throws IOException {
            return new UnclosedInputStream(
                    Channels.newInputStream(file.channel().position(offset)));
        }

        @Override
        public Optional<FileChannel> openFile() {
            return Optional.of(file.channel());
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Leaves the file open, which may be read again; its opener closes it. */
    private static final class UnclosedInputStream extends FilterInputStream {
        UnclosedInputStream(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // see above
        }
    }
}
