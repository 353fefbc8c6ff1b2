package dev.satchel.filesystem;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the directories of a tree for one walk, and ahead of it: with a second thread, and together
 * with whoever else walks the same tree at the moment.
 */
final class DirectoryReadAhead implements WorkspaceWalk.Lister, AutoCloseable {
    private final SharedTreeReads.Walk walk;
    private final DirectoryRead.Reader directory;
    private final Predicate<WorkspaceEntry> wanted;
    private final BlockingDeque<WorkspacePath> ahead = new LinkedBlockingDeque<>();
    private @Nullable Thread helper;

    /** What is not {@code wanted} is not read ahead. */
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
        DirectoryRead reading = read(path);
        while (!reading.isMade()) { // by somebody else, so there is time
            WorkspacePath next = ahead.pollFirst();
            if (next == null) {
                break;
            }
            read(next);
        }
        DirectoryContents entries = reading.await();
        if (entries == null) {
            return directory.read(path);
        }
        if (!walk.made(reading)) {
            note(entries);
        }
        startHelper();
        return entries;
    }

    /** The helper ends by itself; what it reads meanwhile is nobody's. */
    @Override
    public void close() {
        if (helper != null) {
            helper.interrupt();
        }
        walk.close();
    }

    private DirectoryRead read(WorkspacePath path) {
        return walk.reading(path, this::readAndNote);
    }

    private DirectoryContents readAndNote(WorkspacePath path) throws IOException {
        DirectoryContents entries = directory.read(path);
        note(entries);
        return entries;
    }

    /** In front, for a walk goes down before it goes on. */
    private void note(DirectoryContents entries) {
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
