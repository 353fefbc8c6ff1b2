package dev.satchel.filesystem;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the directories of a tree for one walk and ahead of it, with a second thread and shared
 * with other walks of the same tree.
 */
final class DirectoryReadAhead implements WorkspaceWalk.Lister, AutoCloseable {
    private final SharedTreeReads.Walk walk;
    private final DirectoryRead.Reader directory;
    private final Predicate<WorkspaceEntry> wanted;
    private final BlockingDeque<WorkspacePath> ahead = new LinkedBlockingDeque<>();
    private @Nullable Thread helper;

    /** Directories that are not {@code wanted} are not read ahead. */
    DirectoryReadAhead(
            SharedTreeReads.Walk walk,
            DirectoryRead.Reader directory,
            Predicate<WorkspaceEntry> wanted) {
        this.walk = walk;
        this.directory = directory;
        this.wanted = wanted;
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath path) throws IOException {
        DirectoryRead read = read(path);
        while (!read.isDone()) { // another thread reads it
            WorkspacePath next = ahead.pollFirst();
            if (next == null) {
                break;
            }
            read(next);
        }
        DirectoryContents entries = read.await();
        if (entries == null) {
            return directory.read(path);
        }
        if (!walk.did(read)) {
            queue(entries);
        }
        startHelper();
        return entries;
    }

    /** The helper thread ends after its current read, whose result is not used. */
    @Override
    public void close() {
        if (helper != null) {
            helper.interrupt();
        }
        walk.close();
    }

    private DirectoryRead read(WorkspacePath path) {
        return walk.read(path, this::readAndQueue);
    }

    private DirectoryContents readAndQueue(WorkspacePath path) throws IOException {
        DirectoryContents entries = directory.read(path);
        queue(entries);
        return entries;
    }

    /** At the front, since a walk is depth-first. */
    private void queue(DirectoryContents entries) {
        for (WorkspaceEntry found : entries.directories().reversed()) {
            if (wanted.test(found)) {
                ahead.addFirst(found.path());
            }
        }
    }

    private void startHelper() {
        if (helper == null && !ahead.isEmpty()) {
            helper = Thread.ofVirtual().name("read-ahead").start(this::help);
        }
    }

    private void help() {
        try {
            while (true) {
                DirectoryRead _ = read(ahead.takeFirst());
            }
        } catch (InterruptedException _) {
            // the walk is over
        }
    }
}
