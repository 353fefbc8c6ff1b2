package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LocalWorkspaces;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceHomeStore;
import dev.satchel.server.workspace.WorkspaceHomeStore.Home;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Live workspaces where every server has a runner and a disk of its own. The database says on whose
 * disk a conversation's lies; there it is read and changed, and before a run of another server it
 * is kept, taken away and brought over. A server that is dead has none: the snapshot stands for it.
 */
public final class ClusterWorkspaces implements LiveWorkspaces {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWorkspaces.class);

    private final Database database;
    private final LocalWorkspaces here;
    private final PeerWorkspaces others;
    private final WorkspaceHomeStore homes = new WorkspaceHomeStore();
    private final Home own;

    public ClusterWorkspaces(
            Database database, NodeId self, WorkspaceDirectories folder, PeerWorkspaces others) {
        this.database = database;
        this.here = new LocalWorkspaces(folder);
        this.others = others;
        this.own = new Home(self.value());
    }

    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        try {
            return atHome(id, home -> home.view(id)).flatMap(found -> found);
        } catch (IOException e) {
            LOG.warn("a workspace's server does not answer chatId={}", id.value(), e);
            return Optional.empty(); // for reading, the snapshot will do
        }
    }

    @Override
    public boolean goesWithItsServer() {
        return true;
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return atHome(id, home -> home.find(id)).flatMap(found -> found);
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        Optional<SafeDirectory> there = find(id);
        if (there.isPresent()) {
            return there;
        }
        settleHere(id);
        return here.open(id);
    }

    @Override
    public List<ConversationId> all() throws IOException {
        return here.all().stream().filter(id -> !isOld(id)).toList();
    }

    /** Only here; a server that changes another's files keeps them when it ends. */
    @Override
    public void touch(ConversationId id) throws IOException {
        if (!here.isMissing(id)) {
            here.touch(id);
        }
    }

    @Override
    public long changedAt(ConversationId id) {
        return here.changedAt(id);
    }

    @Override
    public boolean isMissing(ConversationId id) throws IOException {
        return atHome(id, home -> home.isMissing(id)).orElse(true);
    }

    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        settleHere(id);
        here.install(id, filling);
    }

    @Override
    public void replace(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        settleHere(id);
        here.replace(id, filling);
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        Home home = leave(id);
        here.remove(id);
        others.remove(home, id);
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        Home home = leave(id);
        here.erase(id);
        others.remove(home, id);
    }

    @Override
    public void clearRemoved(Duration ago) throws IOException {
        here.clearRemoved(ago);
    }

    /** The row first: from then on nobody looks there, and what is left is left over. */
    private Home leave(ConversationId id) {
        Home home = home(id);
        if (!database.write(tx -> homes.leave(tx, id, home))) {
            throw SessionErrors.runInProgress();
        }
        return home;
    }

    /** The row moves before anything is deleted: until then the other's files are the newest. */
    @Override
    public void bringHere(ConversationId id, Keeping keeping)
            throws IOException, InterruptedException {
        Home home = home(id);
        if (home.equals(own)) {
            return;
        }
        others.keep(home, id, keeping);
        settleHere(id, home);
        others.removeQuietly(home, id);
    }

    @Override
    public List<ConversationId> leftOver() throws IOException {
        return here.all().stream().filter(this::isOld).toList();
    }

    @Override
    public void removeLeftOver(ConversationId id) throws IOException {
        if (isOld(id)) {
            here.erase(id);
        }
    }

    private boolean isOld(ConversationId id) {
        Home home = home(id);
        return !home.equals(own) && !home.equals(Home.UNKNOWN);
    }

    /** Empty when it is nowhere, or where nobody answers. */
    private <T> Optional<T> atHome(ConversationId id, PeerWorkspaces.Question<T> question)
            throws IOException {
        Home home = home(id);
        if (home.equals(own) || home.equals(Home.UNKNOWN)) {
            return Optional.of(question.ask(here));
        }
        return others.ask(home, question);
    }

    private Home home(ConversationId id) {
        return database.read(tx -> homes.find(tx, id)).orElse(Home.NOWHERE);
    }

    private void settleHere(ConversationId id) throws IOException {
        settleHere(id, home(id));
    }

    private void settleHere(ConversationId id, Home from) throws IOException {
        if (from.equals(own)) {
            return;
        }
        if (!from.equals(Home.UNKNOWN)) {
            here.remove(id); // from before it went elsewhere; before the row says that it counts
        }
        if (!database.write(tx -> homes.move(tx, id, from, own))) {
            throw new IOException("another server has taken the workspace");
        }
    }
}
