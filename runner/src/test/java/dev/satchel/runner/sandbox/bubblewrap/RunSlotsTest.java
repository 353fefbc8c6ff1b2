package dev.satchel.runner.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.cgroup.Cgroup;
import dev.satchel.runner.sandbox.cgroup.CgroupDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunSlotsTest {
    @TempDir Path root;

    @Test
    void twoRunnersNeverGetTheSameNumber() throws Exception {
        RunSlots one = new RunSlots(root);
        RunSlots other = new RunSlots(root);

        RunSlot first = one.claim();
        RunSlot second = other.claim();

        assertThat(second.user()).isNotEqualTo(first.user());
        one.release(first);
        assertThat(other.claim().user()).isEqualTo(first.user());
    }

    @Test
    void aReleasedSlotLeavesNothing() throws Exception {
        RunSlots slots = new RunSlots(root);
        RunSlot slot = slots.claim();
        Files.createDirectories(slot.scratch().resolve("tmp/deep"));
        Files.writeString(slot.arguments(), "x");

        slots.release(slot);

        assertThat(names()).isEmpty();
    }

    @Test
    void aSweepLeavesTheLivingAlone() throws Exception {
        RunSlot slot = new RunSlots(root).claim();

        new RunSlots(root).removeLeftovers();

        assertThat(slot.directory()).exists();
    }

    @Test
    void aSweepRemovesWhatAKilledRunnerLeft() throws Exception {
        RunSlot slot = abandoned();
        Files.createDirectories(slot.workspace());
        Files.createDirectories(slot.scratch());

        new RunSlots(root).removeLeftovers();

        assertThat(names()).containsExactly("sweep.lock");
    }

    @Test
    void aSweepKillsProcessesAndRemovesGroupsOfAKilledRunner() throws Exception {
        OpenSandboxes.assumeRoot();
        RunSlot slot = abandoned();
        CgroupDetector groups =
                CgroupDetector.detect(Path.of("/proc"), "satchel-test-probe").orElseThrow();
        Cgroup group = groups.create("satchel-test-abandoned", SandboxLimits.DEFAULT);
        slot.recordGroup(group);
        Process orphan = joined(group);

        new RunSlots(root).removeLeftovers();

        assertThat(orphan.waitFor()).isEqualTo(128 + 9);
        assertThat(group.directories()).noneMatch(Files::exists);
        assertThat(slot.directory()).doesNotExist();
    }

    @Test
    void aGroupThatSomebodyLeftIsMadeAnew() throws Exception {
        OpenSandboxes.assumeRoot();
        CgroupDetector groups =
                CgroupDetector.detect(Path.of("/proc"), "satchel-test-probe").orElseThrow();
        Process orphan = joined(groups.create("satchel-test-left", SandboxLimits.DEFAULT));

        Cgroup again = groups.create("satchel-test-left", SandboxLimits.DEFAULT);

        assertThat(orphan.waitFor()).isEqualTo(128 + 9);
        assertThat(again.directories()).allMatch(Files::exists);
        again.remove();
    }

    /** A slot of a process that is no more: this one's id with another start. */
    private RunSlot abandoned() throws IOException {
        RunSlot slot = new RunSlots(root).claim();
        Path owner = root.resolve(slot.number() + ".owner");
        Files.delete(owner);
        Files.createSymbolicLink(owner, Path.of(ProcessHandle.current().pid() + "-1"));
        return slot;
    }

    private static Process joined(Cgroup group) throws IOException {
        StringBuilder script = new StringBuilder();
        group.joinFiles().forEach(file -> script.append("echo 0 >" + file + "; "));
        Process process =
                new ProcessBuilder("sh", "-c", script + "echo joined; exec sleep 1000").start();
        assertThat(process.inputReader().readLine()).isEqualTo("joined");
        return process;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
