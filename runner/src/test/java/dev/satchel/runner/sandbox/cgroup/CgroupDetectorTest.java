package dev.satchel.runner.sandbox.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.cgroup.CgroupHierarchy.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both versions, described by files; {@link CgroupV2Test} has a real kernel. */
class CgroupDetectorTest {
    private static final SandboxLimits LIMITS = new SandboxLimits(1000, 20, 150, 5000);

    @TempDir Path proc;
    @TempDir Path groups;

    @Test
    void theFirstVersionIsUsedWhereItHasTheControllers() throws Exception {
        Files.createDirectories(groups.resolve("memory/own"));
        write(
                "self/mountinfo",
                mount("memory", "/", "cgroup", "rw,memory"),
                mount("pids", "/", "cgroup", "rw,pids"),
                mount("cpu", "/", "cgroup", "rw,cpu,cpuacct"),
                mount("unified", "/", "cgroup2", "rw"),
                "20 1 8:1 / / rw - ext4 /dev/sda rw");
        write("self/cgroup", "3:memory:/own", "2:pids:/", "1:cpu,cpuacct:/gone", "0::/");

        assertThat(CgroupDetector.find(proc))
                .containsExactly(
                        new CgroupHierarchy(Kind.V1_MEMORY, groups.resolve("memory/own")),
                        new CgroupHierarchy(Kind.V1_PIDS, groups.resolve("pids")),
                        new CgroupHierarchy(Kind.V1_CPU, groups.resolve("cpu")));
    }

    @Test
    void theSecondVersionIsUsedWhereItIsAlone() throws Exception {
        Path own = Files.createDirectories(groups.resolve("service"));
        Files.writeString(own.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
        Files.writeString(own.resolve("cgroup.subtree_control"), "\n");
        write("self/mountinfo", mount("", "/", "cgroup2", "rw"));
        write("self/cgroup", "0::/service");

        assertThat(CgroupDetector.find(proc)).containsExactly(new CgroupHierarchy(Kind.V2, own));
        assertThat(own.resolve("cgroup.subtree_control")).hasContent("+memory +pids +cpu");
    }

    @Test
    void aRunnerThatMovedAsideFindsTheGroupItWasGiven() throws Exception {
        Path own = groups.resolve("service");
        Files.createDirectories(own.resolve("satchel-runner"));
        Files.writeString(own.resolve("cgroup.controllers"), "cpu memory pids\n");
        Files.writeString(own.resolve("cgroup.subtree_control"), "cpu memory pids\n");
        write("self/mountinfo", mount("", "/", "cgroup2", "rw"));
        write("self/cgroup", "0::/service/satchel-runner");

        assertThat(CgroupDetector.find(proc)).containsExactly(new CgroupHierarchy(Kind.V2, own));
    }

    @Test
    void aContainerSeesItsOwnGroupAtTheTop() throws Exception {
        Files.writeString(groups.resolve("cgroup.controllers"), "cpu memory pids\n");
        Files.writeString(groups.resolve("cgroup.subtree_control"), "cpu memory pids\n");
        write("self/mountinfo", mount("", "/docker/abc", "cgroup2", "rw"));
        write("self/cgroup", "0::/docker/abc");

        assertThat(CgroupDetector.find(proc)).containsExactly(new CgroupHierarchy(Kind.V2, groups));
    }

    @Test
    void withoutControllersThereAreNoGroups() throws Exception {
        Files.writeString(groups.resolve("cgroup.controllers"), "memory\n");
        write("self/mountinfo", mount("", "/", "cgroup2", "rw"));
        write("self/cgroup", "0::/");

        assertThat(CgroupDetector.detect(proc, "probe")).isEmpty();
    }

    @Test
    void theSecondVersionsLimitsAreWritten() throws Exception {
        CgroupHierarchy hierarchy = new CgroupHierarchy(Kind.V2, groups);

        assertThat(hierarchy.settings(LIMITS))
                .extracting(setting -> setting.file() + "=" + setting.value())
                .containsExactly(
                        "memory.max=1000",
                        "memory.swap.max=0",
                        "memory.oom.group=1",
                        "pids.max=20",
                        "cpu.max=150000 100000");
    }

    @Test
    void theFirstVersionsLimitsAreWritten() throws Exception {
        assertThat(List.of(Kind.V1_MEMORY, Kind.V1_PIDS, Kind.V1_CPU))
                .flatExtracting(kind -> new CgroupHierarchy(kind, groups).settings(LIMITS))
                .extracting(setting -> setting.file() + "=" + setting.value())
                .containsExactly(
                        "memory.limit_in_bytes=1000",
                        "memory.memsw.limit_in_bytes=1000",
                        "pids.max=20",
                        "cpu.cfs_period_us=100000",
                        "cpu.cfs_quota_us=150000");
    }

    private String mount(String name, String root, String type, String options) {
        Path point = name.isEmpty() ? groups : groups.resolve(name);
        return "30 20 0:26 " + root + " " + point + " rw,nosuid - " + type + " none " + options;
    }

    private void write(String file, String... lines) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, List.of(lines));
    }
}
