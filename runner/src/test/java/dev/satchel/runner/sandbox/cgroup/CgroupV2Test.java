package dev.satchel.runner.sandbox.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.CgroupV2Guest;
import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.bubblewrap.VirtualMachine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sandboxes on a real kernel with control groups of version 2, whatever this machine has: a virtual
 * machine runs {@link CgroupV2Guest} once, and the tests read its output.
 */
@Timeout(600)
public class CgroupV2Test {
    private static Map<String, String> facts = Map.of();

    @BeforeAll
    static void runInAVirtualMachine(@TempDir Path folder) throws Exception {
        List<String> console = VirtualMachine.run(CgroupV2Guest.class, folder);

        facts =
                console.stream()
                        .filter(line -> line.startsWith(CgroupV2Guest.FACT))
                        .map(line -> line.substring(CgroupV2Guest.FACT.length()).split("=", 2))
                        .collect(Collectors.toMap(fact -> fact[0], fact -> fact[1]));
        assertThat(facts).as(String.join("\n", console)).containsEntry("end", "reached");
    }

    @Test
    void theRunnerMakesItsGroupsWhereItWasGivenOne() {
        assertThat(facts)
                .containsEntry(
                        "hierarchies", "[CgroupHierarchy[kind=V2, parent=/sys/fs/cgroup/service]]")
                .containsEntry("group", "/sys/fs/cgroup/service")
                .containsEntry("warning", "none");
    }

    @Test
    void theKernelTakesTheLimits() {
        assertThat(facts)
                .containsEntry("memory.max", Long.toString(OpenSandboxes.SMALL.memoryBytes()))
                .containsEntry("pids.max", Integer.toString(OpenSandboxes.SMALL.processes()))
                .containsEntry("cpu.max", "100000 100000")
                .containsEntry("memory.oom.group", "1");
    }

    @Test
    void anAllocationOfTwoGigabytesEndsOutOfMemory() {
        assertThat(facts)
                .containsEntry("memory", "OUT_OF_MEMORY")
                .containsEntry("after memory", "works");
        assertThat(number("oom kills")).isPositive();
    }

    @Test
    void aForkBombIsContainedAndEndsWithItsCommand() {
        assertThat(number("processes")).isBetween(30L, (long) OpenSandboxes.SMALL.processes());
        assertThat(facts)
                .containsEntry("fork bomb", "TIMED_OUT")
                .containsEntry("after processes", "works");
        assertThat(facts.get("refused forks")).matches("max [1-9][0-9]*");
    }

    @Test
    void theProcessorIsHeldToItsShare() {
        assertThat(number("throttled")).isPositive();
    }

    @Test
    void nothingIsLeftBehind() {
        assertThat(facts).containsEntry("leftovers", "[]");
    }

    private static long number(String fact) {
        return Long.parseLong(facts.get(fact));
    }
}
