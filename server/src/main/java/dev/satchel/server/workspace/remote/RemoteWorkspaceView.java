package dev.satchel.server.workspace.remote;

import static dev.satchel.server.workspace.remote.WorkspaceClient.with;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.runner.workspace.OpenWorkspaceFile;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.LiveWorkspaceView;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceSource;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;

/** A workspace on another machine, read through as it is asked for. */
final class RemoteWorkspaceView implements WorkspaceView {
    private final WorkspaceClient client;
    private final ConversationId id;
    private final LiveWorkspaceView directory;

    RemoteWorkspaceView(WorkspaceClient client, ConversationId id) {
        this.client = client;
        this.id = id;
        this.directory = new LiveWorkspaceView(new RemoteDirectory(client, id));
    }

    @Override
    public WorkspaceSource source() {
        return WorkspaceSource.LIVE;
    }

    @Override
    public void walk(Visitor visitor) throws IOException {
        directory.walk(visitor);
    }

    @Override
    public WorkspaceFile open(WorkspacePath path) throws IOException {
        HttpResponse<InputStream> response =
                client.ask(with(client.of(id, "file", path), "HEAD"), path);
        response.body().close();
        return new RemoteFile(path, RemoteDirectory.statOf(response));
    }

    @Override
    public String linkTarget(WorkspacePath link) throws IOException {
        return directory.linkTarget(link);
    }

    @Override
    public void close() {
        directory.close();
    }

    private final class RemoteFile implements WorkspaceFile {
        private final WorkspacePath path;
        private final FileStat stat;

        RemoteFile(WorkspacePath path, FileStat stat) {
            this.path = path;
            this.stat = stat;
        }

        @Override
        public FileStat stat() {
            return stat;
        }

        @Override
        public String etag() {
            return OpenWorkspaceFile.etag(stat);
        }

        /** Only the bytes that are asked for come over. */
        @Override
        public InputStream open(long offset, long length) throws IOException {
            if (length == 0) {
                return InputStream.nullInputStream();
            }
            String range = "bytes=" + offset + "-" + (offset + length - 1);
            return client.ask(with(client.of(id, "file", path).header("Range", range), "GET"), path)
                    .body();
        }

        @Override
        public void close() {
            // nothing is open before the bytes are asked for
        }
    }
}
