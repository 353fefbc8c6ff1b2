package dev.satchel.runner.sandbox;

import dev.satchel.runner.net.PrivateHosts;
import dev.satchel.runner.sandbox.egress.AllowedHosts;
import dev.satchel.runner.sandbox.egress.EgressProxy;
import dev.satchel.runner.sandbox.seccomp.Architecture;
import dev.satchel.runner.sandbox.seccomp.SeccompFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sandboxes made of bubblewrap, a user per run and a control group per run. */
final class BubblewrapSandboxes implements Sandboxes {
    private final Host host;
    private final RunSlots slots;
    private final RunMounts mounts;
    private final PrivateHosts privateHosts;
    private final Path configuration;
    private final byte[] filter = SeccompFilter.bytes(Architecture.current());

    BubblewrapSandboxes(Host host, RunSlots slots, RunMounts mounts, PrivateHosts privateHosts)
            throws IOException {
        this.host = host;
        this.slots = slots;
        this.mounts = mounts;
        this.privateHosts = privateHosts;
        this.configuration = slots.systemConfiguration();
    }

    @Override
    public Sandbox open(SandboxSpec spec) throws IOException {
        Cleanup cleanup = new Cleanup(spec.runId());
        try {
            return open(spec, cleanup);
        } catch (IOException | RuntimeException e) {
            cleanup.close();
            throw e;
        }
    }

    @Override
    public Optional<String> warning() {
        return host.shortcomings();
    }

    private Sandbox open(SandboxSpec spec, Cleanup cleanup) throws IOException {
        RunSlot slot = slots.claim();
        cleanup.add(() -> slots.release(slot));
        Optional<ControlGroup> group = createGroup(slot, spec.limits(), cleanup);
        Keeper keeper = new Keeper("sandbox-" + slot.number());
        cleanup.add(keeper::close);
        RunFiles files = keeper.call(() -> mounts.prepare(slot, spec));
        cleanup.add(() -> files.takeBack(host));
        boolean online = !spec.allowedHosts().isEmpty();
        if (online) {
            openEgress(slot, spec, cleanup);
        }
        writeArguments(slot, spec, files, online);
        Launcher launcher =
                new Launcher(host, slot, spec.limits(), group, online ? Egress.WRAPPER : List.of());
        return new BubblewrapSandbox(
                slot,
                launcher,
                files,
                new DiskMeter(watched(files), spec.limits().diskBytes()),
                new RunProcesses(keeper, group),
                cleanup);
    }

    /** Written down before it is made, so that a sweep finds it whenever this process is killed. */
    private Optional<ControlGroup> createGroup(RunSlot slot, Limits limits, Cleanup cleanup)
            throws IOException {
        if (host.groups().isEmpty()) {
            return Optional.empty();
        }
        ControlGroups groups = host.groups().get();
        ControlGroup group = groups.named(slot.groupName());
        slot.remember(group);
        cleanup.add(group::remove);
        groups.create(slot.groupName(), limits);
        return Optional.of(group);
    }

    private void openEgress(RunSlot slot, SandboxSpec spec, Cleanup cleanup) throws IOException {
        EgressProxy proxy =
                EgressProxy.open(
                        slot.egressSocket(), AllowedHosts.parse(spec.allowedHosts(), privateHosts));
        cleanup.add(proxy::close);
        Files.setPosixFilePermissions(
                slot.egressSocket(), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    private void writeArguments(RunSlot slot, SandboxSpec spec, RunFiles files, boolean online)
            throws IOException {
        BwrapArguments arguments =
                BwrapArguments.isolated()
                        .configuration(configuration)
                        .writable(
                                files.workspace(),
                                files.scratch(),
                                RunMounts.scratchBytes(spec.limits()));
        if (online) {
            arguments.egress(slot.egressSocket(), Egress.writeForwarder(slot.folder()));
        }
        arguments.environment(online ? Egress.VARIABLES : Map.of(), spec.environment());
        Files.createFile(
                slot.arguments(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(slot.arguments(), arguments.bytes());
        Files.write(slot.filter(), filter);
    }

    /** Temporary files are on disk, and count, only where no tmpfs can be mounted. */
    private List<Path> watched(RunFiles files) {
        List<Path> trees = new ArrayList<>(List.of(files.original()));
        if (!host.privileged()) {
            trees.add(files.scratch());
        }
        return trees;
    }
}
