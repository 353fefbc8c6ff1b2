package dev.satchel.server.workspace.remote;

import static dev.satchel.server.workspace.remote.RunnerClient.encoded;
import static dev.satchel.server.workspace.remote.RunnerClient.temporaryFile;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.filesystem.workspace.WorkspaceStream;
import dev.satchel.filesystem.workspace.WorkspaceStream.Item;
import dev.satchel.server.conversation.ConversationId;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A workspace on a runner's machine. The runner's kernel resolves every path; an opened file is a
 * copy.
 */
final class RunnerDirectory implements SafeDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerDirectory.class);
    private static final int BUFFER = 64 * 1024;

    private final RunnerClient runner;
    private final ConversationId id;

    RunnerDirectory(RunnerClient runner, ConversationId id) {
        this.runner = runner;
        this.id = id;
    }

    /** The first request gets the reason of a refusal, the second the content. */
    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        FileStat _ = statFollowed(path);
        try (FileOpener one = opener(List.of(path))) {
            return one.open(path);
        }
    }

    /** The stat of the regular file that the path leads to. */
    FileStat statFollowed(WorkspacePath path) throws IOException {
        return read(runner.entry(id, path, true)).entry().stat();
    }

    /** Receives all files in one response. */
    @Override
    public FileOpener opener(List<WorkspacePath> files) throws IOException {
        return new FilesInOrder(files, stream(runner.files(id, files)));
    }

    private final class FilesInOrder implements FileOpener {
        private final Deque<WorkspacePath> expected;
        private final DataInputStream in;
        private Optional<Item> next;

        FilesInOrder(List<WorkspacePath> files, DataInputStream in) throws IOException {
            this.expected = new ArrayDeque<>(files);
            this.in = in;
            this.next = WorkspaceStream.read(in);
        }

        /** A file out of order is requested by itself. */
        @Override
        public OpenFile open(WorkspacePath path) throws IOException {
            if (!path.equals(expected.peek())) {
                return RunnerDirectory.this.open(path);
            }
            expected.remove();
            Optional<Item> item = next.filter(it -> it.entry().path().equals(path));
            if (item.isEmpty()) {
                throw new NoSuchFileException(path.value()); // the runner has left it out
            }
            OpenFile file = copy(in, item.get().entry().stat());
            next = WorkspaceStream.read(in);
            return file;
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                LOG.debug("cannot close a response of the runner", e);
            }
        }
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        return read(runner.entry(id, path, false)).entry().stat();
    }

    @Override
    public String readLink(WorkspacePath path) throws IOException {
        Item item = read(runner.entry(id, path, false));
        if (item.entry().stat().kind() != FileStat.Kind.LINK) {
            throw new NoSuchFileException(path.value());
        }
        return item.target();
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath directory) throws IOException {
        List<WorkspaceEntry> found = entriesByParent().get(directory);
        if (found == null && !stat(directory).isDirectory()) {
            throw new NotDirectoryException(directory.value());
        }
        return found == null ? List.of() : List.copyOf(found);
    }

    /** Requests all entries at once. */
    @Override
    public WorkspaceWalk walk(WorkspacePath start) {
        return new WorkspaceWalk(new EntriesOnce(), start);
    }

    private final class EntriesOnce implements WorkspaceWalk.Lister {
        private @Nullable Map<WorkspacePath, List<WorkspaceEntry>> all;

        @Override
        public List<WorkspaceEntry> list(WorkspacePath directory) throws IOException {
            if (all == null) {
                all = entriesByParent();
            }
            return all.getOrDefault(directory, List.of());
        }
    }

    @Override
    public NewFile create(WorkspacePath path) throws IOException {
        return new Upload(path, temporaryFile());
    }

    /** A file that is written here and sent as a whole. */
    private final class Upload implements NewFile {
        private final WorkspacePath path;
        private final FileChannel content;

        Upload(WorkspacePath path, FileChannel content) {
            this.path = path;
            this.content = content;
        }

        @Override
        public FileChannel channel() {
            return content;
        }

        @Override
        public void commit() throws IOException {
            runner.write(id, path, content);
        }

        @Override
        public void close() throws IOException {
            content.close();
        }
    }

    @Override
    public void createDirectories(WorkspacePath path) throws IOException {
        runner.change(id, "directory", path, "");
    }

    @Override
    public void link(WorkspacePath path, String target) throws IOException {
        runner.change(id, "link", path, "&target=" + encoded(target));
    }

    @Override
    public void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException {
        runner.change(id, "attributes", path, "&mode=" + mode + "&modified=" + modified);
    }

    @Override
    public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
        runner.change(id, "move", from, "&to=" + encoded(to.value()));
    }

    @Override
    public void delete(WorkspacePath path) throws IOException {
        runner.change(id, "delete", path, "");
    }

    @Override
    public void close() {
        // every response is closed by its reader
    }

    static DataInputStream stream(InputStream response) {
        return new DataInputStream(new BufferedInputStream(response, BUFFER));
    }

    private static Item read(InputStream response) throws IOException {
        try (DataInputStream in = stream(response)) {
            return WorkspaceStream.read(in)
                    .orElseThrow(() -> new IOException("the runner sent no entry"));
        }
    }

    private static OpenFile copy(InputStream content, FileStat stat) throws IOException {
        FileChannel copy = temporaryFile();
        try {
            WorkspaceStream.copy(content, stat.size(), Channels.newOutputStream(copy));
            return new OpenFile(copy.position(0), stat);
        } catch (IOException e) {
            copy.close();
            throw e;
        }
    }

    private Map<WorkspacePath, List<WorkspaceEntry>> entriesByParent() throws IOException {
        Map<WorkspacePath, List<WorkspaceEntry>> entries = new HashMap<>();
        try (DataInputStream in = stream(runner.entries(id))) {
            for (Optional<Item> next = WorkspaceStream.read(in);
                    next.isPresent();
                    next = WorkspaceStream.read(in)) {
                WorkspaceEntry entry = next.get().entry();
                entries.computeIfAbsent(entry.path().parent(), _ -> new ArrayList<>()).add(entry);
            }
        }
        return entries;
    }
}
