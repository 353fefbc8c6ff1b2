package dev.satchel.runner.sandbox.cgroup;

import dev.satchel.runner.sandbox.SandboxLimits;
import java.nio.file.Path;
import java.util.List;

/** A hierarchy of control groups, and the group in which new groups are created. */
record CgroupHierarchy(Kind kind, Path parent) {
    private static final int CPU_PERIOD_MICROS = 100_000;

    enum Kind {
        V1_MEMORY("memory"),
        V1_PIDS("pids"),
        V1_CPU("cpu"),
        V2("");

        private final String controller;

        Kind(String controller) {
            this.controller = controller;
        }

        /** The controller of a hierarchy of version 1; empty in version 2. */
        String controller() {
            return controller;
        }
    }

    /** A file of a group and the value to write; an optional file may be missing. */
    record Setting(String file, String value, boolean optional) {}

    List<Setting> settings(SandboxLimits limits) {
        String memory = Long.toString(limits.memoryBytes());
        String processes = Integer.toString(limits.processes());
        String quota = Long.toString(limits.cpuPercent() * (CPU_PERIOD_MICROS / 100L));
        return switch (kind) {
            case V1_MEMORY ->
                    List.of(
                            required("memory.limit_in_bytes", memory),
                            // only where the kernel accounts for swap
                            optional("memory.memsw.limit_in_bytes", memory));
            case V1_PIDS -> List.of(required("pids.max", processes));
            case V1_CPU ->
                    List.of(
                            required("cpu.cfs_period_us", Integer.toString(CPU_PERIOD_MICROS)),
                            required("cpu.cfs_quota_us", quota));
            case V2 ->
                    List.of(
                            required("memory.max", memory),
                            optional("memory.swap.max", "0"),
                            optional("memory.oom.group", "1"),
                            required("pids.max", processes),
                            required("cpu.max", quota + " " + CPU_PERIOD_MICROS));
        };
    }

    private static Setting required(String file, String value) {
        return new Setting(file, value, false);
    }

    private static Setting optional(String file, String value) {
        return new Setting(file, value, true);
    }
}
