package dev.satchel.runner.sandbox.cgroup;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.cgroup.CgroupHierarchy.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds where this process is able to create control groups, of version 1 or 2. */
public final class CgroupDetector {
    private static final List<Kind> VERSION_1 = List.of(Kind.V1_MEMORY, Kind.V1_PIDS, Kind.V1_CPU);

    private final List<CgroupHierarchy> hierarchies;

    CgroupDetector(List<CgroupHierarchy> hierarchies) {
        this.hierarchies = List.copyOf(hierarchies);
    }

    /** Empty when no group with memory, process and CPU limits can be created here. */
    public static Optional<CgroupDetector> detect(Path proc, String probeName) throws IOException {
        List<CgroupHierarchy> found = find(proc);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        CgroupDetector groups = new CgroupDetector(found);
        try {
            groups.create(probeName, SandboxLimits.DEFAULT).remove();
            return Optional.of(groups);
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** The group of this name, which need not exist. */
    public Cgroup named(String name) {
        return new Cgroup(
                hierarchies.stream().map(hierarchy -> hierarchy.parent().resolve(name)).toList());
    }

    /**
     * Creates a group with these limits in every hierarchy, or none at all. A group of this name
     * that exists was left by a killed runner and is removed first.
     */
    public Cgroup create(String name, SandboxLimits limits) throws IOException {
        Cgroup group = named(name);
        if (group.directories().stream().anyMatch(Files::exists)) {
            group.remove();
        }
        try {
            for (CgroupHierarchy hierarchy : hierarchies) {
                Path directory = hierarchy.parent().resolve(name);
                Files.createDirectory(directory);
                for (CgroupHierarchy.Setting setting : hierarchy.settings(limits)) {
                    set(directory, setting);
                }
            }
            return group;
        } catch (IOException e) {
            group.remove();
            throw e;
        }
    }

    private static void set(Path directory, CgroupHierarchy.Setting setting) throws IOException {
        Path file = directory.resolve(setting.file());
        if (!setting.optional() || Files.exists(file)) {
            Files.writeString(file, setting.value());
        }
    }

    public static List<CgroupHierarchy> find(Path proc) throws IOException {
        List<CgroupMount> mounts =
                Files.readAllLines(proc.resolve("self/mountinfo")).stream()
                        .flatMap(line -> CgroupMount.parse(line).stream())
                        .toList();
        Map<String, String> own =
                Files.readAllLines(proc.resolve("self/cgroup")).stream()
                        .map(line -> line.split(":", 3))
                        .flatMap(CgroupDetector::controllersAndPath)
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a));
        List<CgroupHierarchy> first = new ArrayList<>();
        for (Kind kind : VERSION_1) {
            mounts.stream()
                    .filter(mount -> mount.controllers().contains(kind.controller()))
                    .findFirst()
                    .map(mount -> mount.directory(own.getOrDefault(kind.controller(), "/")))
                    .map(path -> new CgroupHierarchy(kind, path))
                    .ifPresent(first::add);
        }
        Optional<Path> unified =
                mounts.stream()
                        .filter(CgroupMount::isVersion2)
                        .findFirst()
                        .map(mount -> mount.directory(own.getOrDefault("", "/")))
                        .map(CgroupV2::originalGroup);
        if (first.size() == VERSION_1.size()) {
            return first;
        }
        if (unified.isPresent() && CgroupV2.delegate(unified.get())) {
            return List.of(new CgroupHierarchy(Kind.V2, unified.get()));
        }
        return List.of();
    }

    /** A line of {@code /proc/self/cgroup}: number, controllers (none in version 2), path. */
    private static Stream<Map.Entry<String, String>> controllersAndPath(String[] fields) {
        return Arrays.stream(fields[1].split(",", -1)).map(name -> Map.entry(name, fields[2]));
    }

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
                        Optional.of(
                                new CgroupMount(mountPoint, mount[ROOT_FIELD], true, List.of()));
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
}
