package dev.satchel.server.workspace.files;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The differences between one listing of a workspace and the next. */
final class ListingDifference {
    private Map<String, ListedFile> before = new HashMap<>();

    /** One file that was added, changed or removed. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Change(String type, String path, @Nullable Long size, @Nullable String modifiedAt) {}

    /** The first listing, with which the next one is compared. */
    void begin(List<ListedFile> files) {
        before = byPath(files);
    }

    List<Change> next(List<ListedFile> files) {
        Map<String, ListedFile> after = byPath(files);
        List<Change> changes = new ArrayList<>();
        for (ListedFile file : files) {
            ListedFile known = before.get(file.path());
            if (!file.equals(known)) {
                String type = known == null ? "added" : "changed";
                changes.add(new Change(type, file.path(), file.size(), file.modifiedAt()));
            }
        }
        for (String path : before.keySet()) {
            if (!after.containsKey(path)) {
                changes.add(new Change("removed", path, null, null));
            }
        }
        before = after;
        return changes;
    }

    private static Map<String, ListedFile> byPath(List<ListedFile> files) {
        Map<String, ListedFile> byPath = new HashMap<>();
        files.forEach(file -> byPath.put(file.path(), file));
        return byPath;
    }
}
