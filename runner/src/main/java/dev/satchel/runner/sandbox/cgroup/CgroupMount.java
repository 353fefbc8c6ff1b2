package dev.satchel.runner.sandbox.cgroup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A mounted hierarchy of control groups; {@code root} is the group at the mount point. */
record CgroupMount(Path mountPoint, String root, boolean isVersion2, List<String> controllers) {
    private static final int ROOT_FIELD = 3;
    private static final int MOUNT_POINT_FIELD = 4;

    CgroupMount {
        controllers = List.copyOf(controllers);
    }

    /** Reads a line of {@code /proc/self/mountinfo}; empty for other file systems. */
    static Optional<CgroupMount> parse(String line) {
        String[] halves = line.split(" - ", 2);
        String[] mount = halves[0].split(" ", -1);
        String[] system = halves[1].split(" ", -1);
        Path mountPoint = Path.of(mount[MOUNT_POINT_FIELD]);
        return switch (system[0]) {
            case "cgroup" ->
                    Optional.of(
                            new CgroupMount(
                                    mountPoint,
                                    mount[ROOT_FIELD],
                                    false,
                                    Arrays.asList(system[2].split(","))));
            case "cgroup2" ->
                    Optional.of(new CgroupMount(mountPoint, mount[ROOT_FIELD], true, List.of()));
            default -> Optional.empty();
        };
    }

    /** The directory of a group, or the mount point when the group is not visible here. */
    Path directory(String group) {
        String below = group.startsWith(root) ? group.substring(root.length()) : "";
        Path directory = mountPoint.resolve(below.replaceFirst("^/+", ""));
        return Files.isDirectory(directory) ? directory : mountPoint;
    }
}
