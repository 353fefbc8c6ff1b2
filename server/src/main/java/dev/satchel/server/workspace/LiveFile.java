package dev.satchel.server.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.runner.workspace.OpenWorkspaceFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.util.Optional;

/** A file of a live workspace, as it was when it was opened. */
record LiveFile(OpenWorkspaceFile hosted) implements WorkspaceFile {
    LiveFile(OpenFile file) {
        this(new OpenWorkspaceFile(file));
    }

    @Override
    public FileStat stat() {
        return hosted.file().stat();
    }

    @Override
    public String etag() {
        return hosted.etag();
    }

    @Override
    public InputStream open(long offset, long length) throws IOException {
        return hosted.open(offset, length);
    }

    @Override
    public Optional<FileChannel> openFile() {
        return hosted.openFile();
    }

    @Override
    public void close() throws IOException {
        hosted.file().close();
    }
}
