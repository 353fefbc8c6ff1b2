package dev.satchel.server.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Optional;

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
        return Channels.newInputStream(file.channel().position(offset));
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
