package dev.satchel.runner.sandbox.bubblewrap;

import dev.satchel.http.outbound.AllowedHosts;
import dev.satchel.http.outbound.EgressProxy;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.runner.sandbox.CleanupStack;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.cgroup.Cgroup;
import dev.satchel.runner.sandbox.cgroup.CgroupDetector;
import dev.satchel.runner.sandbox.disk.DiskQuota;
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

/** Opens sandboxes of bubblewrap, each with its own user and control group. */
public final class BubblewrapSandboxFactory implements SandboxFactory {
    private final HostCapabilities host;
    private final RunSlots slots;
    private final SandboxMounts mounts;
    private final ReachableHosts reachableHosts;
    private final Path root;
    private final Path etc;
    private final byte[] filter = SeccompFilter.bytes(CpuArchitecture.current());

    /** {@code root} is the directory whose programs commands see. */
    public BubblewrapSandboxFactory(
            HostCapabilities host,
            RunSlots slots,
            SandboxMounts mounts,
            ReachableHosts reachableHosts,
            Path root)
            throws IOException {
        this.host = host;
        this.slots = slots;
        this.mounts = mounts;
        this.reachableHosts = reachableHosts;
        this.root = root;
        this.etc = slots.etcDirectory(root);
    }

    /** Also removes what killed runners left in the directory of runs. */
    public static BubblewrapSandboxFactory create(
            Path bubblewrap, Path runs, ReachableHosts reachableHosts, Path root)
            throws IOException {
        RunSlots slots = new RunSlots(runs);
        slots.removeLeftovers();
        HostCapabilities host = HostCapabilities.detect(bubblewrap);
        return new BubblewrapSandboxFactory(
                host, slots, new SandboxMounts(host, true), reachableHosts, root);
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
    public Path root() {
        return root;
    }

    @Override
    public boolean limitsRuns() {
        return host.groups().isPresent();
    }

    @Override
    public Optional<String> warning() {
        return host.limitations();
    }

    private Sandbox open(SandboxSpec spec, CleanupStack cleanup) throws IOException {
        RunSlot slot = slots.claim();
        cleanup.add(() -> slots.release(slot));
        Optional<Cgroup> group = createGroup(slot, spec.limits(), cleanup);
        ProcessStarter starter = new ProcessStarter("sandbox-" + slot.number());
        cleanup.add(starter::close);
        SandboxPaths paths = starter.call(() -> mounts.prepare(slot, spec));
        cleanup.add(() -> paths.returnToRunner(host));
        boolean isOnline = !spec.allowedHosts().isEmpty();
        if (isOnline) {
            openEgress(slot, spec, cleanup);
        }
        writeArguments(slot, spec, paths, isOnline);
        CommandLauncher launcher =
                new CommandLauncher(
                        host,
                        slot,
                        spec.limits(),
                        group,
                        isOnline ? EgressEnvironment.WRAPPER : List.of());
        RunProcesses processes = new RunProcesses(starter, group);
        DiskQuota.Limit limit =
                new DiskQuota.Limit(spec.limits().diskBytes(), spec.limits().diskEntries());
        return new BubblewrapSandbox(
                slot,
                launcher,
                paths,
                new DiskQuota(measured(paths), limit, processes::ids),
                processes,
                cleanup);
    }

    /** Records the group before creating it, so that a later runner can remove it. */
    private Optional<Cgroup> createGroup(RunSlot slot, SandboxLimits limits, CleanupStack cleanup)
            throws IOException {
        if (host.groups().isEmpty()) {
            return Optional.empty();
        }
        CgroupDetector groups = host.groups().get();
        Cgroup group = groups.named(slot.groupName());
        slot.recordGroup(group);
        cleanup.add(group::remove);
        groups.create(slot.groupName(), limits);
        return Optional.of(group);
    }

    private void openEgress(RunSlot slot, SandboxSpec spec, CleanupStack cleanup)
            throws IOException {
        EgressProxy proxy =
                EgressProxy.open(
                        slot.egressSocket(),
                        AllowedHosts.parse(spec.allowedHosts(), reachableHosts));
        cleanup.add(proxy::close);
        Files.setPosixFilePermissions(
                slot.egressSocket(), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    private void writeArguments(
            RunSlot slot, SandboxSpec spec, SandboxPaths paths, boolean isOnline)
            throws IOException {
        BubblewrapArguments arguments =
                BubblewrapArguments.isolated(root)
                        .etc(etc)
                        .writable(
                                paths.workspace(),
                                paths.scratch(),
                                SandboxMounts.scratchBytes(spec.limits()));
        Path skills = paths.skills();
        if (skills != null) {
            arguments.skills(skills);
        }
        if (isOnline) {
            arguments.egress(
                    slot.egressSocket(), EgressEnvironment.writeForwarder(slot.directory()));
        }
        arguments.environment(
                isOnline ? EgressEnvironment.VARIABLES : Map.of(),
                spec.environment(),
                skills == null ? Map.of() : Map.of(Sandbox.SKILLS_VARIABLE, Sandbox.SKILLS));
        Files.createFile(
                slot.arguments(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(slot.arguments(), arguments.bytes());
        Files.write(slot.filter(), filter);
    }

    /** Temporary files are on disk only when the runner cannot mount a tmpfs. */
    private List<Path> measured(SandboxPaths paths) {
        List<Path> trees = new ArrayList<>(List.of(paths.original()));
        if (!host.privileged()) {
            trees.add(paths.scratch());
        }
        return trees;
    }
}
