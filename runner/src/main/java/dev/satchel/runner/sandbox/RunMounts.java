package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Mounts what one run's commands see, for the calling thread and its children alone. */
final class RunMounts {
    private static final long BIND = 4096;

    /** Temporary files are memory, so they get a part of the run's. */
    private static final int SCRATCH_SHARE = 4;

    private final Host host;
    private final UserNamespaces namespaces;
    private final boolean mapped;

    /** Without mapped mounts every file changes its owner instead. */
    RunMounts(Host host, boolean mapped) {
        this.host = host;
        this.mapped = mapped;
        namespaces = new UserNamespaces(host.user());
    }

    static long scratchBytes(Limits limits) {
        return limits.memoryBytes() / SCRATCH_SHARE;
    }

    /** To be called on the thread that starts the run's commands, once. */
    RunFiles prepare(RunSlot slot, SandboxSpec spec) throws IOException {
        Path workspace = spec.workspace().toRealPath();
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectory(slot.scratch());
        if (!host.privileged()) {
            makeScratchFolders(slot);
            return new RunFiles(workspace, slot.scratch(), workspace, false);
        }
        LinuxCalls.unshareMounts();
        String options =
                "size="
                        + scratchBytes(spec.limits())
                        + ",mode=0700,uid="
                        + slot.user()
                        + ",gid="
                        + slot.user();
        LinuxCalls.mount(
                "tmpfs",
                slot.scratch(),
                "tmpfs",
                LinuxCalls.NO_SUID | LinuxCalls.NO_DEVICES,
                options);
        makeScratchFolders(slot);
        boolean given = !mountWorkspace(slot, workspace);
        return new RunFiles(slot.workspace(), slot.scratch(), workspace, given);
    }

    private void makeScratchFolders(RunSlot slot) throws IOException {
        for (String name : new String[] {"home", "tmp"}) {
            Path folder = Files.createDirectory(slot.scratch().resolve(name));
            if (host.privileged()) {
                Ownership.change(folder, slot.user());
            }
        }
    }

    /** False when the files had to be given to the run's user. */
    private boolean mountWorkspace(RunSlot slot, Path workspace) throws IOException {
        Files.createDirectory(slot.workspace());
        if (mapped && mountMapped(slot, workspace)) {
            return true;
        }
        LinuxCalls.mount(workspace.toString(), slot.workspace(), "none", BIND, "");
        return false;
    }

    private boolean mountMapped(RunSlot slot, Path workspace) throws IOException {
        if (Ownership.of(workspace) != host.user()) {
            Ownership.give(workspace, host.user()); // a runner was killed before it took them back
        }
        int namespace = namespaces.descriptor(slot.user());
        try {
            LinuxCalls.mountMapped(workspace, slot.workspace(), namespace);
            return true;
        } catch (IOException _) {
            return false; // not every file system can: overlayfs, network file systems
        }
    }
}
