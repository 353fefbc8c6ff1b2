package dev.satchel.server.application;

import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.http.Router;
import dev.satchel.http.SharedSecret;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LocalWorkspaces;
import dev.satchel.server.workspace.PeerWorkspaces;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.WorkspaceHomes;
import dev.satchel.server.workspace.WorkspaceLock;
import dev.satchel.server.workspace.WorkspaceManager;
import dev.satchel.server.workspace.remote.ClusterWorkspaces;
import dev.satchel.server.workspace.remote.FileRequestForwarding;
import dev.satchel.server.workspace.remote.NodeClient;
import dev.satchel.server.workspace.remote.NodeRoutes;
import dev.satchel.server.workspace.remote.RunnerWorkspaces;
import dev.satchel.server.workspace.remote.StaleWorkspaceSweeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The live workspaces: on this server's disk, on the disks of all servers of the database, or on
 * the disk of a runner on another machine.
 */
final class LiveWorkspaceWiring {
    private static final Duration STALE_SWEEP = Duration.ofMinutes(10);
    private static final Duration REMOVED_SWEEP = Duration.ofMinutes(1);

    /** Longer than a listing or a download takes to read the files that it has open. */
    private static final Duration REMOVED_KEPT = Duration.ofMinutes(2);

    private final CloseStack closing;
    private final LiveWorkspaces live;
    private final @Nullable Cluster cluster;

    /** What a server needs to be one of several. */
    private record Cluster(
            Nodes nodes, NodeClient client, ClusterWorkspaces workspaces, SharedSecret secret) {}

    private LiveWorkspaceWiring(
            CloseStack closing, LiveWorkspaces live, @Nullable Cluster cluster) {
        this.closing = closing;
        this.live = live;
        this.cluster = cluster;
    }

    /**
     * {@code disk} is the folder of the workspaces, if this server sees it. A folder that the
     * operator has configured is the same for all servers.
     */
    static LiveWorkspaceWiring of(
            CloseStack closing,
            Database database,
            SandboxConfiguration sandbox,
            DataDirectory data,
            Optional<Path> disk,
            Clock clock)
            throws StartException {
        if (sandbox instanceof SandboxConfiguration.Remote remote && disk.isEmpty()) {
            Secret token = remote.token();
            String secret = token == null ? "" : token.value();
            return new LiveWorkspaceWiring(
                    closing, new RunnerWorkspaces(remote.url(), secret), null);
        }
        WorkspaceDirectories directories =
                new WorkspaceDirectories(disk.orElseThrow(), data.nodeId().value());
        clear(directories);
        closing.add(new Scheduler("removed-workspaces"))
                .every(REMOVED_SWEEP, () -> clearRemoved(directories));
        if (sandbox.sharedWorkspaces().isPresent() || database.dialect() == Dialect.SQLITE) {
            return new LiveWorkspaceWiring(closing, new LocalWorkspaces(directories), null);
        }
        Nodes nodes =
                closing.add(new Nodes(database, data.nodeId(), new LeaseClock(database, clock)));
        String secret = new SigningKeyStore(database).key("between-servers");
        NodeClient client = new NodeClient(nodes, secret);
        ClusterWorkspaces all = new ClusterWorkspaces(database, nodes.self(), directories, client);
        return new LiveWorkspaceWiring(
                closing, all, new Cluster(nodes, client, all, new SharedSecret(secret)));
    }

    LiveWorkspaces live() {
        return live;
    }

    PeerWorkspaces peers() {
        return cluster == null ? PeerWorkspaces.NONE : cluster.workspaces();
    }

    /** Finds the server that has a workspace, if there are several servers. */
    Optional<WorkspaceHomes> homes() {
        return Optional.ofNullable(cluster).map(Cluster::nodes).map(WorkspaceHomes::new);
    }

    /** How requests for files of sessions are checked, and forwarded if there are peers. */
    SessionAccess access(Authentication access) {
        return cluster == null
                ? access::requireCaller
                : new FileRequestForwarding(
                        access, cluster.workspaces(), cluster.client(), cluster.secret());
    }

    /** Adds the routes for the other servers. */
    void addTo(Router router, WorkspaceManager manager, WorkspaceLock lock) {
        if (cluster == null) {
            return;
        }
        StaleWorkspaceSweeper stale = new StaleWorkspaceSweeper(cluster.workspaces(), lock);
        new NodeRoutes(manager, stale, cluster.secret()).addTo(router);
        closing.add(new Scheduler("stale-workspaces")).every(STALE_SWEEP, stale::sweep);
    }

    /** From now on the other servers find this one. */
    void announce(URI address) {
        if (cluster != null) {
            cluster.nodes().announce(address);
        }
    }

    private static void clear(WorkspaceDirectories directories) throws StartException {
        try {
            directories.clear();
        } catch (IOException e) {
            throw new StartException("cannot delete incomplete and removed workspaces", e);
        }
    }

    private static void clearRemoved(WorkspaceDirectories directories) {
        try {
            directories.clearRemoved(REMOVED_KEPT);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the next round tries again
        }
    }
}
