package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.runner.workspace.WorkspaceEntryLine;
import dev.satchel.runner.workspace.WorkspaceStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Many files on their way from another machine as one answer, to be opened one after the other. */
final class RemoteFileStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteFileStream.class);
    private static final int BUFFER = 64 * 1024;

    private final InputStream in;
    private final Deque<WorkspacePath> order;
    private Optional<WorkspaceEntryLine> next;

    RemoteFileStream(InputStream answer, List<WorkspacePath> files) throws IOException {
        this.in = new BufferedInputStream(answer, BUFFER);
        this.order = new ArrayDeque<>(files);
        this.next = WorkspaceStream.readFile(in);
    }

    boolean isNext(WorkspacePath path) {
        return path.equals(order.peek());
    }

    /** A copy of the next one; it is missing when the answer goes on with another. */
    OpenFile open(WorkspacePath path) throws IOException {
        order.remove();
        Optional<WorkspaceEntryLine> line = next.filter(it -> it.entry().path().equals(path));
        if (line.isEmpty()) {
            throw new NoSuchFileException(path.value());
        }
        FileChannel copy = SpoolFiles.open();
        try {
            copyTo(copy, line.get().size());
            next = WorkspaceStream.readFile(in);
            return new OpenFile(copy.position(0), line.get().stat());
        } catch (IOException e) {
            copy.close();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            LOG.debug("an answer that nobody reads on", e);
        }
    }

    private void copyTo(FileChannel copy, long size) throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, size))];
        for (long rest = size; rest > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
            if (count < 0) {
                throw new EOFException("a file was cut short on its way");
            }
            ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
            while (bytes.hasRemaining()) {
                int _ = copy.write(bytes);
            }
            rest -= count;
        }
    }
}
