package dev.satchel.server.application;

import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.http.Router;
import dev.satchel.http.SharedSecret;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.node.InternalAccess;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
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
import dev.satchel.server.workspace.remote.ReachabilityCheck;
import dev.satchel.server.workspace.remote.RunnerWorkspaces;
import dev.satchel.server.workspace.remote.StaleWorkspaceSweeper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
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

    private final CommonServices common;
    private final HttpClient client;
    private final LiveWorkspaces live;
    private final @Nullable Cluster cluster;

    /** The objects of a server that is one of several. */
    private record Cluster(
            Nodes nodes, NodeClient client, ClusterWorkspaces workspaces, InternalAccess access) {}

    /**
     * {@code disk} is the folder of the workspaces, if this server sees it. A folder that the
     * operator has configured is the same for all servers.
     */
    LiveWorkspaceWiring(
            CommonServices common,
            SandboxConfiguration sandbox,
            DataDirectory data,
            Optional<Path> disk)
            throws StartException {
        this.common = common;
        this.client = NodeClient.newHttpClient();
        if (sandbox instanceof SandboxConfiguration.Remote remote && disk.isEmpty()) {
            Secret token = remote.token();
            String secret = token == null ? "" : token.value();
            this.live = new RunnerWorkspaces(remote.url(), secret, client);
            this.cluster = null;
            return;
        }
        WorkspaceDirectories directories =
                new WorkspaceDirectories(disk.orElseThrow(), data.nodeId().value());
        clear(directories);
        common.closing()
                .add(new Scheduler("removed-workspaces"))
                .every(REMOVED_SWEEP, () -> clearRemoved(directories));
        boolean isShared = sandbox.sharedWorkspaces().isPresent();
        if (isShared || common.database().dialect() == Dialect.SQLITE) {
            this.live = new LocalWorkspaces(directories);
            this.cluster = null;
            return;
        }
        this.cluster = cluster(data.nodeId(), directories);
        this.live = cluster.workspaces();
    }

    private Cluster cluster(NodeId self, WorkspaceDirectories directories) {
        Stores stores = common.stores();
        CommonServices.Clocks clocks = common.clocks();
        Nodes nodes =
                common.closing()
                        .add(new Nodes(common.database(), self, clocks.leases(), clocks.steady()));
        String secret = stores.keys.key(SigningKeyStore.BETWEEN_SERVERS);
        NodeClient peers = new NodeClient(nodes, secret, client);
        ClusterWorkspaces workspaces =
                new ClusterWorkspaces(
                        common.database(), stores.workspaceHomes, self, directories, peers);
        return new Cluster(
                nodes, peers, workspaces, new InternalAccess(new SharedSecret(secret), self));
    }

    /** For calls to other servers and to runners. */
    HttpClient client() {
        return client;
    }

    LiveWorkspaces live() {
        return live;
    }

    PeerWorkspaces peers() {
        return cluster == null ? PeerWorkspaces.NONE : cluster.workspaces();
    }

    /** Finds the server that has a workspace, if there are several servers. */
    Optional<WorkspaceHomes> homes() {
        return Optional.ofNullable(cluster)
                .map(it -> new WorkspaceHomes(it.nodes(), common.stores().workspaceHomes));
    }

    /** How requests for files of sessions are checked, and forwarded if there are peers. */
    SessionAccess access(Authentication access) {
        return cluster == null
                ? access::requireCaller
                : new FileRequestForwarding(
                        access, cluster.workspaces(), cluster.client(), cluster.access());
    }

    /** Adds the routes for the other servers. */
    void addTo(Router router, WorkspaceManager manager, WorkspaceLock lock) {
        if (cluster == null) {
            return;
        }
        StaleWorkspaceSweeper stale = new StaleWorkspaceSweeper(cluster.workspaces(), lock);
        new NodeRoutes(manager, stale, cluster.client(), cluster.access()).addTo(router);
        common.closing().add(new Scheduler("stale-workspaces")).every(STALE_SWEEP, stale::sweep);
    }

    /** From now on the other servers find this one. Fails if they do not reach each other. */
    void announce(URI address) throws StartException {
        if (cluster == null) {
            return;
        }
        cluster.nodes().announce(address);
        Optional<String> problem =
                new ReachabilityCheck(cluster.nodes(), cluster.client()).check(address);
        if (problem.isPresent()) {
            throw new StartException(problem.get());
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
