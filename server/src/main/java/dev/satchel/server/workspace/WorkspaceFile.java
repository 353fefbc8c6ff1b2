package dev.satchel.server.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.http.download.Content;
import java.io.IOException;

/** A regular file of a workspace that is open for reading. The opener closes it. */
public interface WorkspaceFile extends Content, AutoCloseable {
    FileStat stat();

    @Override
    default long size() {
        return stat().size();
    }

    @Override
    void close() throws IOException;
}
