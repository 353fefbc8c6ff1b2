package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.runner.workspace.SharedSecret;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.runner.workspace.WorkspaceRoutes;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LocalWorkspaces;
import dev.satchel.server.workspace.WorkspaceHomes;
import dev.satchel.server.workspace.remote.ClusterWorkspaces;
import dev.satchel.server.workspace.remote.PeerWorkspaces;
import dev.satchel.server.workspace.remote.RunnerWorkspaces;
import dev.satchel.server.workspace.remote.StaleWorkspaceSweeper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the live workspaces lie: on this server's disk, on those of all servers of the database, or
 * on a runner's elsewhere.
 */
final class LiveWorkspaceWiring {
    private static final String BETWEEN_SERVERS = "/internal/workspaces";
    private static final Duration CLEANING = Duration.ofMinutes(10);

    private final CloseStack closing;
    private final LiveWorkspaces live;
    private final @Nullable Cluster cluster;

    /** What a server needs to be one of several. */
    private record Cluster(Nodes nodes, WorkspaceDirectories folder, SharedSecret secret) {}

    private LiveWorkspaceWiring(
            CloseStack closing, LiveWorkspaces live, @Nullable Cluster cluster) {
        this.closing = closing;
        this.live = live;
        this.cluster = cluster;
    }

    /**
     * {@code disk} is where we see them, if we do. A folder that the operator names is one for all
     * servers.
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
        WorkspaceDirectories folder =
                new WorkspaceDirectories(disk.orElseThrow(), data.nodeId().value());
        clear(folder);
        if (sandbox.sharedWorkspaces().isPresent() || database.dialect() == Dialect.SQLITE) {
            return new LiveWorkspaceWiring(closing, new LocalWorkspaces(folder), null);
        }
        Nodes nodes =
                closing.add(new Nodes(database, data.nodeId(), new LeaseClock(database, clock)));
        String secret = new SigningKeyStore(database).key("between-servers");
        LiveWorkspaces all =
                new ClusterWorkspaces(
                        database,
                        nodes.self(),
                        folder,
                        new PeerWorkspaces(nodes, BETWEEN_SERVERS, secret));
        return new LiveWorkspaceWiring(
                closing, all, new Cluster(nodes, folder, new SharedSecret(secret)));
    }

    LiveWorkspaces live() {
        return live;
    }

    /** On whose disk they lie, where that is not the same for all. */
    Optional<WorkspaceHomes> homes() {
        return Optional.ofNullable(cluster).map(Cluster::nodes).map(WorkspaceHomes::new);
    }

    /** Lets the other servers at the workspaces of this one. */
    void addTo(Router router, StaleWorkspaceSweeper leftOvers) {
        if (cluster == null) {
            return;
        }
        new WorkspaceRoutes(
                        cluster.folder(),
                        cluster.secret(),
                        id -> leftOvers.remove(new ConversationId(id)))
                .addTo(router, BETWEEN_SERVERS);
        closing.add(new Scheduler("left-overs")).every(CLEANING, leftOvers::clean);
    }

    /** From now on the other servers find this one. */
    void announce(URI address) {
        if (cluster != null) {
            cluster.nodes().announce(address);
        }
    }

    private static void clear(WorkspaceDirectories folder) throws StartException {
        try {
            folder.clear();
        } catch (IOException e) {
            throw new StartException("cannot clear what was left beside the workspaces", e);
        }
    }
}
