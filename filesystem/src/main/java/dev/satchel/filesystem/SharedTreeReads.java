package dev.satchel.filesystem;

import dev.satchel.filesystem.FileDescriptor.Identity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The trees that are being walked right now, each known by its root's inode: the same path may be
 * another tree a moment later.
 */
public final class SharedTreeReads {
    private final Map<Identity, SharedTreeRead> trees = new ConcurrentHashMap<>();

    /** One walk of a tree; it ends with its closing. */
    final class Walk implements AutoCloseable {
        private final Identity root;
        private final SharedTreeRead tree;
        private final long number;

        private Walk(Identity root, SharedTreeRead tree, long number) {
            this.root = root;
            this.tree = tree;
            this.number = number;
        }

        DirectoryRead reading(WorkspacePath path, DirectoryRead.Reader reader) {
            return tree.reading(path, number, reader);
        }

        boolean made(DirectoryRead reading) {
            return reading.isOf(number);
        }

        @Override
        public void close() {
            trees.computeIfPresent(
                    root,
                    (_, there) -> {
                        there.end(number);
                        return there.isIdle() ? null : there;
                    });
        }
    }

    /** Begins a walk; the root must stay open as long. */
    Walk begin(Identity root) {
        long[] number = new long[1];
        SharedTreeRead tree =
                trees.compute(
                        root,
                        (_, there) -> {
                            SharedTreeRead shared = there == null ? new SharedTreeRead() : there;
                            number[0] = shared.begin();
                            return shared;
                        });
        return new Walk(root, tree, number[0]);
    }
}
