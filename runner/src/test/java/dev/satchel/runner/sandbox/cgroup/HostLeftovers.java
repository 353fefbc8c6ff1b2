package dev.satchel.runner.sandbox.cgroup;

import dev.satchel.runner.sandbox.bubblewrap.RunSlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks on the host for anything that belongs to a run. */
public final class HostLeftovers {
    private HostLeftovers() {}

    public static List<String> of(RunSlot slot) throws IOException {
        List<String> found = new ArrayList<>(processes(slot.user()));
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(slot.directory().toString() + "/"))
                .forEach(found::add);
        found.addAll(groups(slot.groupName()));
        if (Files.exists(slot.directory())) {
            found.add(slot.directory().toString());
        }
        return found;
    }

    public static List<String> processes(int user) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .filter(process -> belongsTo(process, user))
                    .map(process -> "process " + process.getFileName())
                    .toList();
        }
    }

    public static List<String> groups(String name) throws IOException {
        List<String> found = new ArrayList<>();
        for (CgroupHierarchy hierarchy : CgroupDetector.find(Path.of("/proc"))) {
            if (Files.exists(hierarchy.parent().resolve(name))) {
                found.add(hierarchy.parent().resolve(name).toString());
            }
        }
        return found;
    }

    private static boolean belongsTo(Path process, int user) {
        try {
            String status = Files.readString(process.resolve("status"));
            return status.contains("\nUid:\t" + user);
        } catch (IOException _) {
            return false; // ended meanwhile
        }
    }
}
