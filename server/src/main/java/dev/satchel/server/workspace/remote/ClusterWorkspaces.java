package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.node.Peer;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LocalWorkspaces;
import dev.satchel.server.workspace.PeerWorkspaces;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceHomeStore;
import dev.satchel.server.workspace.WorkspaceHomeStore.Home;
import dev.satchel.server.workspace.WorkspaceUnreachableException;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Live workspaces where every server has a runner and a disk of its own. The conversation's row
 * names the server that has the workspace, its home. Only the home reads and changes it; the others
 * forward requests to it. The workspace of a server that is down is replaced by its snapshot.
 */
public final class ClusterWorkspaces implements LiveWorkspaces, PeerWorkspaces {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWorkspaces.class);

    /** Longer than a server counts as alive, so that one without a database is not waited for. */
    private static final Duration UNREACHABLE = Nodes.ALIVE.plusSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Database database;
    private final LocalWorkspaces here;
    private final NodeClient nodes;
    private final WorkspaceHomeStore homes;
    private final Home own;

    public ClusterWorkspaces(
            Database database,
            WorkspaceHomeStore homes,
            NodeId self,
            WorkspaceDirectories directories,
            NodeClient nodes) {
        this.database = database;
        this.homes = homes;
        this.here = new LocalWorkspaces(directories);
        this.nodes = nodes;
        this.own = new Home(self.value());
    }

    @Override
    public String place() {
        return String.valueOf(own.node());
    }

    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        return isHere(home(id)) ? here.view(id) : Optional.empty();
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return isHere(home(id)) ? here.find(id) : Optional.empty();
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        moveHere(id, home(id));
        return here.open(id);
    }

    @Override
    public boolean isMissing(ConversationId id) {
        Home home = home(id);
        return isHere(home) ? here.isMissing(id) : peer(home).isEmpty();
    }

    /** A server that was killed counts as alive for a while. */
    @Override
    public boolean isReachable(ConversationId id) {
        Optional<Peer> peer = homeElsewhere(id);
        try {
            if (peer.isPresent()) {
                nodes.requireAnswer(peer.get());
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException {
        moveHere(id, home(id));
        here.install(id, filler);
    }

    @Override
    public void replace(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException {
        moveHere(id, home(id));
        here.replace(id, filler);
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        Home home = clearHome(id);
        here.remove(id);
        removeFrom(home, id);
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        Home home = clearHome(id);
        here.erase(id);
        removeFrom(home, id);
    }

    @Override
    public List<ConversationId> all() throws IOException {
        return here.all().stream().filter(id -> !isStale(id)).toList();
    }

    @Override
    public void touch(ConversationId id) throws IOException {
        here.touch(id);
    }

    @Override
    public long changedAt(ConversationId id) {
        return here.changedAt(id);
    }

    @Override
    public boolean mayTakeOver() {
        return true;
    }

    @Override
    public boolean have(ConversationId id) {
        return homeElsewhere(id).isPresent();
    }

    /** The other server that has the workspace, if one has and is alive. */
    Optional<Peer> homeElsewhere(ConversationId id) {
        return peer(home(id));
    }

    @Override
    public boolean snapshot(Origin origin) throws IOException {
        return snapshotAt(home(origin.conversation()), origin);
    }

    /**
     * Retries while the other server is alive and does not answer: its files are the newest. The
     * row changes before anything is removed, so that a crash leaves a copy that no server reads.
     */
    @Override
    public void bringHere(Origin origin) throws IOException, InterruptedException {
        ConversationId id = origin.conversation();
        Home home = home(id);
        if (home.equals(own)) {
            return;
        }
        long deadline = System.nanoTime() + UNREACHABLE.toNanos();
        while (true) {
            try {
                boolean _ = snapshotAt(home, origin);
                break;
            } catch (IOException e) {
                if (System.nanoTime() > deadline && peer(home).isPresent()) {
                    throw new WorkspaceUnreachableException(e);
                }
                Thread.sleep(RETRY);
            }
        }
        if (database.read(tx -> homes.pendingAt(tx, id)).isPresent()) {
            throw SessionErrors.workspacePending(id);
        }
        moveHere(id, home);
        try {
            removeFrom(home, id);
        } catch (IOException e) {
            LOG.warn("the old copy of a moved workspace stays chatId={}", id.value(), e);
        }
    }

    /** Workspaces on this disk whose home is another server, or none. */
    List<ConversationId> stale() throws IOException {
        return here.all().stream().filter(this::isStale).toList();
    }

    /** Deletes a workspace unless its home is this server. */
    void removeStale(ConversationId id) throws IOException {
        if (isStale(id)) {
            here.erase(id);
        }
    }

    private boolean isStale(ConversationId id) {
        return !isHere(home(id));
    }

    /** A workspace whose home was never recorded is on the disk of the server that looks for it. */
    private boolean isHere(Home home) {
        return home.equals(own) || home.equals(Home.UNKNOWN);
    }

    private Home home(ConversationId id) {
        return database.read(tx -> homes.find(tx, id)).orElse(Home.NOWHERE);
    }

    /** The row first: from then on no server reads the workspace. */
    private Home clearHome(ConversationId id) {
        Home home = home(id);
        if (!database.write(tx -> homes.leave(tx, id, home))) {
            throw SessionErrors.runInProgress();
        }
        return home;
    }

    private void moveHere(ConversationId id, Home from) throws IOException {
        if (from.equals(own)) {
            return;
        }
        if (!from.equals(Home.UNKNOWN)) {
            here.remove(id); // a copy from before it moved away, while the row still says so
        }
        if (!database.write(tx -> homes.move(tx, id, from, own))) {
            throw new IOException("another server has taken the workspace");
        }
    }

    private boolean snapshotAt(Home home, Origin origin) throws IOException {
        Optional<NodeId> node = other(home);
        return node.isPresent() && nodes.snapshot(node.get(), origin);
    }

    private void removeFrom(Home home, ConversationId id) throws IOException {
        Optional<NodeId> node = other(home);
        if (node.isPresent()) {
            nodes.remove(node.get(), id);
        }
    }

    private Optional<Peer> peer(Home home) {
        return other(home).flatMap(nodes::find);
    }

    private Optional<NodeId> other(Home home) {
        String node = home.node();
        return node == null || node.isEmpty() || home.equals(own)
                ? Optional.empty()
                : Optional.of(new NodeId(node));
    }
}
