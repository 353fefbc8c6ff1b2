package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.LiveWorkspaceView;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceSource;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.io.InputStream;

/** A workspace on a runner's machine, read as a client asks for it. */
final class RunnerWorkspaceView implements WorkspaceView {
    private final RunnerClient runner;
    private final ConversationId id;
    private final RunnerDirectory directory;
    private final LiveWorkspaceView view;

    RunnerWorkspaceView(RunnerClient runner, ConversationId id) {
        this.runner = runner;
        this.id = id;
        this.directory = new RunnerDirectory(runner, id);
        this.view = new LiveWorkspaceView(directory);
    }

    @Override
    public WorkspaceSource source() {
        return view.source();
    }

    @Override
    public void walk(Visitor visitor) throws IOException {
        view.walk(visitor);
    }

    @Override
    public WorkspaceFile open(WorkspacePath path) throws IOException {
        return new RunnerFile(path, directory.statFollowed(path));
    }

    @Override
    public String linkTarget(WorkspacePath link) throws IOException {
        return view.linkTarget(link);
    }

    @Override
    public void close() {
        view.close();
    }

    private final class RunnerFile implements WorkspaceFile {
        private final WorkspacePath path;
        private final FileStat stat;

        RunnerFile(WorkspacePath path, FileStat stat) {
            this.path = path;
            this.stat = stat;
        }

        @Override
        public FileStat stat() {
            return stat;
        }

        @Override
        public String etag() {
            return stat.versionTag();
        }

        /** Only the requested bytes are transferred. */
        @Override
        public InputStream open(long offset, long length) throws IOException {
            return length == 0
                    ? InputStream.nullInputStream()
                    : runner.read(id, path, offset, length);
        }

        @Override
        public void close() {
            // the stream that open returns is closed by its reader
        }
    }
}
