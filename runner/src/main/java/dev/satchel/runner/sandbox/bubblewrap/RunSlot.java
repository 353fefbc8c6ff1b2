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
 * What one live run has to itself on this host: a number, the user id made of it, and a folder that
 * holds what its commands are started with.
 */
public record RunSlot(int number, Path folder) {
    /** Above the ids that systemd and subordinate users are given. */
    private static final int FIRST_USER = 1_900_000_000;

    public int user() {
        return FIRST_USER + number;
    }

    public String groupName() {
        return "satchel-" + user();
    }

    /** Where the workspace is mounted for the run alone. */
    public Path workspace() {
        return folder.resolve("workspace");
    }

    /** What becomes {@code /tmp} and the home directory. */
    Path scratch() {
        return folder.resolve("scratch");
    }

    Path arguments() {
        return folder.resolve("bwrap.args");
    }

    Path filter() {
        return folder.resolve("filter.bpf");
    }

    Path egressSocket() {
        return folder.resolve("egress.sock");
    }

    /** Remembers the control groups where a later runner finds them, should this one be killed. */
    void remember(Cgroup group) throws IOException {
        Files.write(groupList(), group.directories().stream().map(Path::toString).toList());
    }

    public Cgroup rememberedGroup() throws IOException {
        if (!Files.exists(groupList())) {
            return new Cgroup(List.of());
        }
        return new Cgroup(Files.readAllLines(groupList()).stream().map(Path::of).toList());
    }

    void deleteFolder() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Path groupList() {
        return folder.resolve("cgroups");
    }
}
