package dev.satchel.runner.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Prepares a group of version 2 for child groups with limits. */
final class CgroupV2 {
    /** A group with limited children cannot contain processes, so the runner moves here. */
    private static final String RUNNER_LEAF = "satchel-runner";

    private static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu");
    private static final String REQUEST = "+memory +pids +cpu";

    private CgroupV2() {}

    /** The group in which the runner was started, also after it has moved. */
    static Path originalGroup(Path current) {
        return current.endsWith(RUNNER_LEAF) ? current.resolveSibling("") : current;
    }

    /** Returns false when controllers are missing or the group is not delegated. */
    static boolean delegate(Path group) {
        try {
            if (!words(group.resolve("cgroup.controllers")).containsAll(CONTROLLERS)) {
                return false;
            }
            Path enabled = group.resolve("cgroup.subtree_control");
            if (!words(enabled).containsAll(CONTROLLERS)) {
                enable(group, enabled);
            }
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static void enable(Path group, Path enabled) throws IOException {
        try {
            Files.writeString(enabled, REQUEST);
        } catch (IOException e) {
            moveRunner(group, e);
            Files.writeString(enabled, REQUEST);
        }
    }

    private static void moveRunner(Path group, IOException refusal) throws IOException {
        String self = Long.toString(ProcessHandle.current().pid());
        if (!Files.readAllLines(group.resolve("cgroup.procs")).equals(List.of(self))) {
            throw refusal; // other processes are here: the group is not delegated
        }
        Path leaf = Files.createDirectories(group.resolve(RUNNER_LEAF));
        Files.writeString(leaf.resolve("cgroup.procs"), self);
    }

    private static List<String> words(Path file) throws IOException {
        return Arrays.asList(Files.readString(file).strip().split("\\s+"));
    }
}
