package dev.satchel.server.workspace;

import dev.satchel.runner.host.WorkspaceFolder;
import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.workspace.HomeStore.Home;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
    private final Nodes nodes;
    private final LocalWorkspaces here;
    private final Function<URI, LiveWorkspaces> others;
    private final HomeStore homes = new HomeStore();
    private final Home own;

    /** {@code others} opens the workspaces of the server at an address. */
    public ClusterWorkspaces(
            Database database,
            Nodes nodes,
            WorkspaceFolder folder,
            Function<URI, LiveWorkspaces> others) {
        this.database = database;
        this.nodes = nodes;
        this.here = new LocalWorkspaces(folder);
        this.others = others;
        this.own = new Home(nodes.self().value());
    }

    /** Reaches other servers at a path of theirs. */
    public static Function<URI, LiveWorkspaces> others(String path, String secret) {
        HttpClient client = WorkspaceClient.newHttpClient();
        return address ->
                new RemoteWorkspaces(
                        new WorkspaceClient(URI.create(address + path), secret, client));
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask(LiveWorkspaces workspaces) throws IOException;
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
    public void install(ConversationId id, WorkspaceFolder.Filling filling) throws IOException {
        settleHere(id);
        here.install(id, filling);
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        Home home = leave(id);
        here.remove(id);
        removeElsewhere(id, home);
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        Home home = leave(id);
        here.erase(id);
        removeElsewhere(id, home);
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

    private void removeElsewhere(ConversationId id, Home home) throws IOException {
        Optional<LiveWorkspaces> other = other(home);
        if (other.isPresent()) {
            Optional<Boolean> _ =
                    unlessDead(
                            other.get(),
                            live -> {
                                live.removeLeftOver(id);
                                return true;
                            });
        }
    }

    /** The row moves before anything is deleted: until then the other's files are the newest. */
    @Override
    public void bringHere(ConversationId id, Keeping keeping) throws IOException {
        Home home = home(id);
        if (home.equals(own)) {
            return;
        }
        Optional<LiveWorkspaces> other = other(home);
        if (other.isPresent()) {
            Optional<SafeDirectory> directory =
                    unlessDead(other.get(), o -> o.find(id)).flatMap(d -> d);
            if (directory.isPresent()) {
                try (SafeDirectory open = directory.get()) {
                    keeping.keep(open);
                }
            }
        }
        settleHere(id, home);
        other.ifPresent(left -> removeQuietly(left, id));
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
    private <T> Optional<T> atHome(ConversationId id, Question<T> question) throws IOException {
        Home home = home(id);
        if (home.equals(own) || home.equals(Home.UNKNOWN)) {
            return Optional.of(question.ask(here));
        }
        Optional<LiveWorkspaces> other = other(home);
        return other.isEmpty() ? Optional.empty() : unlessDead(other.get(), question);
    }

    /** Who refuses the connection is gone; any other failure is one. */
    private static <T> Optional<T> unlessDead(LiveWorkspaces other, Question<T> question)
            throws IOException {
        try {
            return Optional.of(question.ask(other));
        } catch (ConnectException e) {
            return Optional.empty();
        }
    }

    private Home home(ConversationId id) {
        return database.read(tx -> homes.find(tx, id)).orElse(Home.NOWHERE);
    }

    private Optional<LiveWorkspaces> other(Home home) {
        String node = home.node();
        return node == null || node.isEmpty()
                ? Optional.empty()
                : nodes.address(new NodeId(node)).map(others);
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

    private static void removeQuietly(LiveWorkspaces left, ConversationId id) {
        try {
            left.removeLeftOver(id);
        } catch (IOException e) {
            LOG.warn("a workspace that has moved stays behind chatId={}", id.value(), e);
        }
    }
}
