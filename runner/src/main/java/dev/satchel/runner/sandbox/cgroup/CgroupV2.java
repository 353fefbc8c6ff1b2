package dev.satchel.runner.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Readies a group of the second version to have limited groups beneath it. */
final class CgroupV2 {
    /** A group that limits its children may hold no process itself, so the runner moves here. */
    private static final String RUNNER_LEAF = "satchel-runner";

    private static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu");
    private static final String REQUEST = "+memory +pids +cpu";

    private CgroupV2() {}

    /** The group we were started in, also after we moved aside in it. */
    static Path given(Path current) {
        return current.endsWith(RUNNER_LEAF) ? current.resolveSibling("") : current;
    }

    /** False when the group does not offer the controllers or is not ours to change. */
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
            moveRunnerAside(group, e);
            Files.writeString(enabled, REQUEST);
        }
    }

    private static void moveRunnerAside(Path group, IOException refusal) throws IOException {
        String self = Long.toString(ProcessHandle.current().pid());
        if (!Files.readAllLines(group.resolve("cgroup.procs")).equals(List.of(self))) {
            throw refusal; // others live here: the group was not delegated to us
        }
        Path leaf = Files.createDirectories(group.resolve(RUNNER_LEAF));
        Files.writeString(leaf.resolve("cgroup.procs"), self);
    }

    private static List<String> words(Path file) throws IOException {
        return Arrays.asList(Files.readString(file).strip().split("\\s+"));
    }
}
