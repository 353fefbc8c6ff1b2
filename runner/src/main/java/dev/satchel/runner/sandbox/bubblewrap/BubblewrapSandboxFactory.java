package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.runner.net.PrivateHosts;
import dev.satchel.runner.sandbox.CleanupStack;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.cgroup.Cgroup;
import dev.satchel.runner.sandbox.cgroup.CgroupDetector;
import dev.satchel.runner.sandbox.disk.DiskQuota;
import dev.satchel.runner.sandbox.egress.AllowedHosts;
import dev.satchel.runner.sandbox.egress.EgressProxy;
import dev.satchel.runner.sandbox.seccomp.CpuArchitecture;
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
public final class BubblewrapSandboxFactory implements SandboxFactory {
    private final HostCapabilities host;
    private final RunSlots slots;
    private final SandboxMounts mounts;
    private final PrivateHosts privateHosts;
    private final Path configuration;
    private final byte[] filter = SeccompFilter.bytes(CpuArchitecture.current());

    public BubblewrapSandboxFactory(
            HostCapabilities host, RunSlots slots, SandboxMounts mounts, PrivateHosts privateHosts)
            throws IOException {
        this.host = host;
        this.slots = slots;
        this.mounts = mounts;
        this.privateHosts = privateHosts;
        this.configuration = slots.systemConfiguration();
    }

    @Override
    public Sandbox open(SandboxSpec spec) throws IOException {
        CleanupStack cleanup = new CleanupStack(spec.runId());
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

    private Sandbox open(SandboxSpec spec, CleanupStack cleanup) throws IOException {
        RunSlot slot = slots.claim();
        cleanup.add(() -> slots.release(slot));
        Optional<Cgroup> group = createGroup(slot, spec.limits(), cleanup);
        ProcessStarter keeper = new ProcessStarter("sandbox-" + slot.number());
        cleanup.add(keeper::close);
        SandboxPaths files = keeper.call(() -> mounts.prepare(slot, spec));
        cleanup.add(() -> files.takeBack(host));
        boolean online = !spec.allowedHosts().isEmpty();
        if (online) {
            openEgress(slot, spec, cleanup);
        }
        writeArguments(slot, spec, files, online);
        CommandLauncher launcher =
                new CommandLauncher(
                        host,
                        slot,
                        spec.limits(),
                        group,
                        online ? EgressEnvironment.WRAPPER : List.of());
        return new BubblewrapSandbox(
                slot,
                launcher,
                files,
                new DiskQuota(watched(files), spec.limits().diskBytes()),
                new RunProcesses(keeper, group),
                cleanup);
    }

    /** Written down before it is made, so that a sweep finds it whenever this process is killed. */
    private Optional<Cgroup> createGroup(RunSlot slot, SandboxLimits limits, CleanupStack cleanup)
            throws IOException {
        if (host.groups().isEmpty()) {
            return Optional.empty();
        }
        CgroupDetector groups = host.groups().get();
        Cgroup group = groups.named(slot.groupName());
        slot.remember(group);
        cleanup.add(group::remove);
        groups.create(slot.groupName(), limits);
        return Optional.of(group);
    }

    private void openEgress(RunSlot slot, SandboxSpec spec, CleanupStack cleanup)
            throws IOException {
        EgressProxy proxy =
                EgressProxy.open(
                        slot.egressSocket(), AllowedHosts.parse(spec.allowedHosts(), privateHosts));
        cleanup.add(proxy::close);
        Files.setPosixFilePermissions(
                slot.egressSocket(), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    private void writeArguments(RunSlot slot, SandboxSpec spec, SandboxPaths files, boolean online)
            throws IOException {
        BubblewrapArguments arguments =
                BubblewrapArguments.isolated()
                        .configuration(configuration)
                        .writable(
                                files.workspace(),
                                files.scratch(),
                                SandboxMounts.scratchBytes(spec.limits()));
        if (online) {
            arguments.egress(slot.egressSocket(), EgressEnvironment.writeForwarder(slot.folder()));
        }
        arguments.environment(online ? EgressEnvironment.VARIABLES : Map.of(), spec.environment());
        Files.createFile(
                slot.arguments(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(slot.arguments(), arguments.bytes());
        Files.write(slot.filter(), filter);
    }

    /** Temporary files are on disk, and count, only where no tmpfs can be mounted. */
    private List<Path> watched(SandboxPaths files) {
        List<Path> trees = new ArrayList<>(List.of(files.original()));
        if (!host.privileged()) {
            trees.add(files.scratch());
        }
        return trees;
    }
}
