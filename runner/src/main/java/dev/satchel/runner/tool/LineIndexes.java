package dev.satchel.runner.tool;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers the line indexes of files seen lately, so that paging through one is not quadratic. */
final class LineIndexes {
    private static final int MAX_FILES = 32;

    private record Key(WorkspacePath path, FileStat stat) {}

    private final Map<Key, LineIndex> known = new LinkedHashMap<>(16, 0.75f, true);

    LineIndex of(WorkspacePath path, TextFile text) throws IOException {
        Key key = new Key(path, text.file().stat());
        LineIndex index = find(key);
        if (index == null) {
            index = LineIndex.of(text.from(0));
            remember(key, index);
        }
        return index;
    }

    private synchronized @Nullable LineIndex find(Key key) {
        return known.get(key);
    }

    private synchronized void remember(Key key, LineIndex index) {
        known.put(key, index);
        if (known.size() > MAX_FILES) {
            known.remove(known.keySet().iterator().next());
        }
    }
}
