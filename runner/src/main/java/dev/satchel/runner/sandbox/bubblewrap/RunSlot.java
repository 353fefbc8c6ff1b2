package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.cgroup.Cgroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The resources of one active run on this host: a number, a user id derived from it, and a
 * directory with the files that start its commands.
 */
public record RunSlot(int number, Path directory) {
    /** Above the ids of systemd and of subordinate users. */
    private static final int FIRST_USER = 1_900_000_000;

    public int user() {
        return FIRST_USER + number;
    }

    public String groupName() {
        return "satchel-" + user();
    }

    /** The mount point of the workspace. */
    public Path workspace() {
        return directory.resolve("workspace");
    }

    /** The mount point of the skills. */
    Path skills() {
        return directory.resolve("skills");
    }

    /** The parent of {@code /tmp} and of the home directory. */
    Path scratch() {
        return directory.resolve("scratch");
    }

    Path arguments() {
        return directory.resolve("bwrap.args");
    }

    Path filter() {
        return directory.resolve("filter.bpf");
    }

    Path egressSocket() {
        return directory.resolve("egress.sock");
    }

    /** Records the control groups, so that a later runner can remove them. */
    void recordGroup(Cgroup group) throws IOException {
        Files.write(groupList(), group.directories().stream().map(Path::toString).toList());
    }

    public Cgroup recordedGroup() throws IOException {
        if (!Files.exists(groupList())) {
            return new Cgroup(List.of());
        }
        return new Cgroup(Files.readAllLines(groupList()).stream().map(Path::of).toList());
    }

    void deleteDirectory() throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Path groupList() {
        return directory.resolve("cgroups");
    }
}
