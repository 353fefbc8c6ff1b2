package dev.satchel.runner.workspace;

import dev.satchel.runner.workspace.Descriptor.Identity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The trees that are being walked right now, each known by its root's inode: the same path may be
 * another tree a moment later.
 */
public final class TreeReadings {
    private final Map<Identity, SharedTree> trees = new ConcurrentHashMap<>();

    /** One walk of a tree; it ends with its closing. */
    final class Walk implements AutoCloseable {
        private final Identity root;
        private final SharedTree tree;
        private final long number;

        private Walk(Identity root, SharedTree tree, long number) {
            this.root = root;
            this.tree = tree;
            this.number = number;
        }

        Reading reading(WorkspacePath path, Reading.Reader reader) {
            return tree.reading(path, number, reader);
        }

        boolean made(Reading reading) {
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
        SharedTree tree =
                trees.compute(
                        root,
                        (_, there) -> {
                            SharedTree shared = there == null ? new SharedTree() : there;
                            number[0] = shared.begin();
                            return shared;
                        });
        return new Walk(root, tree, number[0]);
    }
}
