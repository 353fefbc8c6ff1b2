package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Mounts what one run's commands see, for the calling thread and its children alone. */
public final class SandboxMounts {
    private static final long BIND = 4096;

    /** Temporary files are memory, so they get a part of the run's. */
    private static final int SCRATCH_SHARE = 4;

    private final HostCapabilities host;
    private final UserNamespaces namespaces;
    private final boolean mapped;

    /** Without mapped mounts every file changes its owner instead. */
    public SandboxMounts(HostCapabilities host, boolean mapped) {
        this.host = host;
        this.mapped = mapped;
        namespaces = new UserNamespaces(host.user());
    }

    static long scratchBytes(SandboxLimits limits) {
        return limits.memoryBytes() / SCRATCH_SHARE;
    }

    /** To be called on the thread that starts the run's commands, once. */
    SandboxPaths prepare(RunSlot slot, SandboxSpec spec) throws IOException {
        Path workspace = spec.workspace().toRealPath();
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectory(slot.scratch());
        if (!host.privileged()) {
            makeScratchFolders(slot);
            return new SandboxPaths(workspace, slot.scratch(), workspace, false);
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
        makeScratchFolders(slot);
        boolean given = !mountWorkspace(slot, workspace);
        return new SandboxPaths(slot.workspace(), slot.scratch(), workspace, given);
    }

    private void makeScratchFolders(RunSlot slot) throws IOException {
        for (String name : new String[] {"home", "tmp"}) {
            Path folder = Files.createDirectory(slot.scratch().resolve(name));
            if (host.privileged()) {
                FileOwnership.change(folder, slot.user());
            }
        }
    }

    /** False when the files had to be given to the run's user. */
    private boolean mountWorkspace(RunSlot slot, Path workspace) throws IOException {
        Files.createDirectory(slot.workspace());
        if (mapped && mountMapped(slot, workspace)) {
            return true;
        }
        NamespaceCalls.mount(workspace.toString(), slot.workspace(), "none", BIND, "");
        return false;
    }

    private boolean mountMapped(RunSlot slot, Path workspace) throws IOException {
        if (FileOwnership.of(workspace) != host.user()) {
            FileOwnership.give(
                    workspace, host.user()); // a runner was killed before it took them back
        }
        int namespace = namespaces.descriptor(slot.user());
        try {
            NamespaceCalls.mountMapped(workspace, slot.workspace(), namespace);
            return true;
        } catch (IOException _) {
            return false; // not every file system can: overlayfs, network file systems
        }
    }
}
