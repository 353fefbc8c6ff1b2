package dev.satchel.server.bag;

import dev.satchel.server.file.FileNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names and paths of a bag, read once for all files of a write-back. Other writers may take a
 * name meanwhile, which the reservation finds out; paths belong to the one run of the conversation.
 */
final class OutputNames {
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> lastNumbers = new HashMap<>();
    private final Map<String, OutputStore.Row> newest = new HashMap<>();
    private final Map<String, String> contentsOfPeople = new HashMap<>();
    private final Set<String> received = new HashSet<>();

    OutputNames(List<OutputStore.Row> rows) {
        for (OutputStore.Row row : rows) {
            take(row.nameKey());
            if (row.fromSandbox() && row.arrived() && !row.superseded()) {
                newest.put(row.path(), row);
            } else if (!row.fromSandbox() && row.arrived() && !row.deleted()) {
                contentsOfPeople.put(row.nameKey(), row.sha256());
            }
        }
    }

    /** The path, or with a number when this write-back had a file at the same path before. */
    String receive(String path) {
        String unused = path;
        for (int n = 1; !received.add(unused); n++) {
            unused = FileNames.numbered(path, n);
        }
        return unused;
    }

    /** Whether the bag has these bytes at the path, or under this name from a person. */
    boolean isUnchanged(String path, String sha256) {
        OutputStore.Row before = newest.get(path);
        return (before != null && !before.deleted() && before.sha256().equals(sha256))
                || sha256.equals(contentsOfPeople.get(FileNames.key(path)));
    }

    /** The version before, also a deleted one. */
    Optional<OutputStore.Row> newest(String path) {
        return Optional.ofNullable(newest.get(path));
    }

    /** A name that no file or folder has. */
    String free(String path) {
        String leaf = FileNames.leaf(path);
        int n = lastNumbers.getOrDefault(leaf, -1);
        String name;
        do {
            n++;
            name = n == 0 ? leaf : FileNames.numbered(leaf, n);
        } while (taken.contains(FileNames.key(name)));
        lastNumbers.put(leaf, n);
        take(FileNames.key(name));
        return name;
    }

    private void take(String nameKey) {
        taken.add(nameKey);
        for (int at = nameKey.indexOf('/'); at >= 0; at = nameKey.indexOf('/', at + 1)) {
            taken.add(nameKey.substring(0, at));
        }
    }
}
