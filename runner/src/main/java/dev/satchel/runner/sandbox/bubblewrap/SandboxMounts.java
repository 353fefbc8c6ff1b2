package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** Mounts the directories of one run for the calling thread and its children only. */
public final class SandboxMounts {
    private static final long BIND = 4096;

    /** Temporary files are in memory, so they have a part of the run's limit. */
    private static final int SCRATCH_SHARE = 4;

    private final HostCapabilities host;
    private final UserNamespaces namespaces;
    private final boolean mapped;

    /** Without mapped mounts, the files change their owner instead. */
    public SandboxMounts(HostCapabilities host, boolean mapped) {
        this.host = host;
        this.mapped = mapped;
        namespaces = new UserNamespaces(host.user());
    }

    static long scratchBytes(SandboxLimits limits) {
        return limits.memoryBytes() / SCRATCH_SHARE;
    }

    /** Must be called once, on the thread that starts the run's commands. */
    SandboxPaths prepare(RunSlot slot, SandboxSpec spec) throws IOException {
        Path workspace = spec.workspace().toRealPath();
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectory(slot.scratch());
        if (!host.privileged()) {
            createScratchDirectories(slot);
            return new SandboxPaths(workspace, slot.scratch(), workspace, false, spec.skills());
        }
        NamespaceCalls.unshareMounts();
        String options =
                "size="
                        + scratchBytes(spec.limits())
                        + ",mode=0700,uid="
                        + slot.user()
                        + ",gid="
                        + slot.user();
        NamespaceCalls.mount(
                "tmpfs",
                slot.scratch(),
                "tmpfs",
                NamespaceCalls.NO_SUID | NamespaceCalls.NO_DEVICES,
                options);
        createScratchDirectories(slot);
        boolean given = !mountWorkspace(slot, workspace);
        return new SandboxPaths(
                slot.workspace(),
                slot.scratch(),
                workspace,
                given,
                mountSkills(slot, spec.skills()));
    }

    private void createScratchDirectories(RunSlot slot) throws IOException {
        for (String name : new String[] {"home", "tmp"}) {
            Path directory = Files.createDirectory(slot.scratch().resolve(name));
            if (host.privileged()) {
                FileOwnership.change(directory, slot.user());
            }
        }
    }

    /** The run's user may not be able to enter the directories above those of the skills. */
    private static @Nullable Path mountSkills(RunSlot slot, @Nullable Path skills)
            throws IOException {
        if (skills == null) {
            return null;
        }
        Files.createDirectory(slot.skills());
        NamespaceCalls.mount(skills.toString(), slot.skills(), "none", BIND, "");
        return slot.skills();
    }

    /** Returns false when the files must be given to the run's user. */
    private boolean mountWorkspace(RunSlot slot, Path workspace) throws IOException {
        Files.createDirectory(slot.workspace());
        if (mapped && mountMapped(slot, workspace)) {
            return true;
        }
        NamespaceCalls.mount(workspace.toString(), slot.workspace(), "none", BIND, "");
        return false;
    }

    private boolean mountMapped(RunSlot slot, Path workspace) throws IOException {
        if (FileOwnership.ownerOf(workspace) != host.user()) {
            FileOwnership.changeTree(
                    workspace, host.user()); // a killed runner did not change it back
        }
        int namespace = namespaces.descriptor(slot.user());
        try {
            NamespaceCalls.mountMapped(workspace, slot.workspace(), namespace);
            return true;
        } catch (IOException _) {
            return false; // not supported by overlayfs and network file systems
        }
    }
}
