package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.cgroup.CgroupDetector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the runner is able to do on this machine. */
public record HostCapabilities(Path bubblewrap, int user, Optional<CgroupDetector> groups) {
    private static final int ROOT = 0;

    public static HostCapabilities detect(Path bubblewrap) throws IOException {
        String probe = "satchel-probe-" + ProcessHandle.current().pid();
        return new HostCapabilities(
                bubblewrap,
                NamespaceCalls.effectiveUser(),
                CgroupDetector.detect(Path.of("/proc"), probe));
    }

    /** Whether runs have their own users and mounts. */
    boolean privileged() {
        return user == ROOT;
    }

    /** Describes the isolation that is missing here; empty when it is complete. */
    public Optional<String> limitations() {
        List<String> all = new ArrayList<>();
        if (groups.isEmpty()) {
            all.add(
                    "no control group can be created here: memory is limited per process, not per run,"
                            + " and CPU not at all");
        }
        if (!privileged()) {
            all.add("the runner is not root: all runs share its user id");
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", all));
    }
}
