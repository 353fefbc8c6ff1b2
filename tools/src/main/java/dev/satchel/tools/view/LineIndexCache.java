package dev.satchel.tools.view;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.tools.TextFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The line indexes of recently viewed files, so that paging through a file is not quadratic. */
final class LineIndexCache {
    private static final int MAX_FILES = 32;

    private record Key(WorkspacePath path, FileStat stat) {}

    private final Map<Key, LineIndex> indexes = new LinkedHashMap<>(16, 0.75f, true);

    LineIndex get(WorkspacePath path, TextFile text) throws IOException {
        Key key = new Key(path, text.file().stat());
        LineIndex index = find(key);
        if (index == null) {
            index = LineIndex.of(text.from(0));
            put(key, index);
        }
        return index;
    }

    private synchronized @Nullable LineIndex find(Key key) {
        return indexes.get(key);
    }

    private synchronized void put(Key key, LineIndex index) {
        indexes.put(key, index);
        if (indexes.size() > MAX_FILES) {
            indexes.remove(indexes.keySet().iterator().next());
        }
    }
}
