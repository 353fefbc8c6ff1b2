package dev.satchel.runner.sandbox;

import dev.satchel.runner.sandbox.Hierarchy.Kind;
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

/** Finds where this process may make control groups, in the first or the second version. */
final class ControlGroups {
    private static final List<Kind> FIRST_VERSION =
            List.of(Kind.V1_MEMORY, Kind.V1_PIDS, Kind.V1_CPU);

    private final List<Hierarchy> hierarchies;

    ControlGroups(List<Hierarchy> hierarchies) {
        this.hierarchies = List.copyOf(hierarchies);
    }

    /** Empty when a group with memory, process and CPU limits cannot be made here. */
    static Optional<ControlGroups> detect(Path proc, String probeName) throws IOException {
        List<Hierarchy> found = find(proc);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ControlGroups groups = new ControlGroups(found);
        try {
            groups.create(probeName, Limits.DEFAULT).remove();
            return Optional.of(groups);
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** The group of this name, made or not. */
    ControlGroup named(String name) {
        return new ControlGroup(
                hierarchies.stream().map(hierarchy -> hierarchy.parent().resolve(name)).toList());
    }

    /**
     * Makes a group with these limits in every hierarchy, or none at all. The name is the caller's
     * alone: one that is still there was left by somebody killed.
     */
    ControlGroup create(String name, Limits limits) throws IOException {
        ControlGroup group = named(name);
        if (group.directories().stream().anyMatch(Files::exists)) {
            group.remove();
        }
        try {
            for (Hierarchy hierarchy : hierarchies) {
                Path directory = hierarchy.parent().resolve(name);
                Files.createDirectory(directory);
                for (Hierarchy.Setting setting : hierarchy.settings(limits)) {
                    set(directory, setting);
                }
            }
            return group;
        } catch (IOException e) {
            group.remove();
            throw e;
        }
    }

    private static void set(Path directory, Hierarchy.Setting setting) throws IOException {
        Path file = directory.resolve(setting.file());
        if (!setting.optional() || Files.exists(file)) {
            Files.writeString(file, setting.value());
        }
    }

    static List<Hierarchy> find(Path proc) throws IOException {
        List<GroupMount> mounts =
                Files.readAllLines(proc.resolve("self/mountinfo")).stream()
                        .flatMap(line -> GroupMount.parse(line).stream())
                        .toList();
        Map<String, String> own =
                Files.readAllLines(proc.resolve("self/cgroup")).stream()
                        .map(line -> line.split(":", 3))
                        .flatMap(ControlGroups::controllersAndPath)
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a));
        List<Hierarchy> first = new ArrayList<>();
        for (Kind kind : FIRST_VERSION) {
            mounts.stream()
                    .filter(mount -> mount.controllers().contains(kind.controller()))
                    .findFirst()
                    .map(mount -> mount.directory(own.getOrDefault(kind.controller(), "/")))
                    .map(path -> new Hierarchy(kind, path))
                    .ifPresent(first::add);
        }
        Optional<Path> unified =
                mounts.stream()
                        .filter(GroupMount::secondVersion)
                        .findFirst()
                        .map(mount -> mount.directory(own.getOrDefault("", "/")))
                        .map(SecondVersion::given);
        if (first.size() == FIRST_VERSION.size()) {
            return first;
        }
        if (unified.isPresent() && SecondVersion.delegate(unified.get())) {
            return List.of(new Hierarchy(Kind.V2, unified.get()));
        }
        return List.of();
    }

    /** A line of {@code /proc/self/cgroup}: number, controllers (none in version two), path. */
    private static Stream<Map.Entry<String, String>> controllersAndPath(String[] fields) {
        return Arrays.stream(fields[1].split(",", -1)).map(name -> Map.entry(name, fields[2]));
    }
}
