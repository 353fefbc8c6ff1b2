package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LiveWorkspaces.Keeping;
import dev.satchel.server.workspace.WorkspaceHomeStore.Home;
import dev.satchel.server.workspace.WorkspaceUnreachableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workspaces on the disks of other servers, as long as those are alive. */
public final class PeerWorkspaces {
    private static final Logger LOG = LoggerFactory.getLogger(PeerWorkspaces.class);

    /** By then a server that is cut off from the database as well counts as dead. */
    private static final Duration UNREACHABLE = Nodes.ALIVE.plusSeconds(5);

    private static final Duration ASKED_AGAIN = Duration.ofSeconds(1);

    private final Nodes nodes;
    private final String path;
    private final String secret;
    private final HttpClient client = WorkspaceClient.newHttpClient();

    /** They are reached at a path of theirs, with a secret that all share. */
    public PeerWorkspaces(Nodes nodes, String path, String secret) {
        this.nodes = nodes;
        this.path = path;
        this.secret = secret;
    }

    /** What one asks of a server's workspaces. */
    @FunctionalInterface
    interface Question<T> {
        T ask(LiveWorkspaces workspaces) throws IOException;
    }

    /** Empty when there is none at that home, or it is dead. */
    <T> Optional<T> ask(Home home, Question<T> question) throws IOException {
        Optional<LiveWorkspaces> there = at(home);
        if (there.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(question.ask(there.get()));
        } catch (ConnectException e) {
            return Optional.empty(); // who refuses the connection is gone
        }
    }

    /** One that does not answer is asked again until it is dead to us: its files are the newest. */
    void keep(Home home, ConversationId id, Keeping keeping)
            throws IOException, InterruptedException {
        long giveUp = System.nanoTime() + UNREACHABLE.toNanos();
        while (true) {
            try {
                Optional<SafeDirectory> found = ask(home, there -> there.find(id)).flatMap(d -> d);
                if (found.isPresent()) {
                    try (SafeDirectory open = found.get()) {
                        keeping.keep(open);
                    }
                }
                return;
            } catch (IOException e) {
                if (System.nanoTime() > giveUp && at(home).isPresent()) {
                    throw new WorkspaceUnreachableException(e);
                }
                Thread.sleep(ASKED_AGAIN);
            }
        }
    }

    /** Takes one away where it no longer counts. */
    void remove(Home home, ConversationId id) throws IOException {
        Optional<Boolean> _ =
                ask(
                        home,
                        there -> {
                            there.removeLeftOver(id);
                            return true;
                        });
    }

    void removeQuietly(Home home, ConversationId id) {
        try {
            remove(home, id);
        } catch (IOException e) {
            LOG.warn("a workspace that has moved stays behind chatId={}", id.value(), e);
        }
    }

    private Optional<LiveWorkspaces> at(Home home) {
        String node = home.node();
        return node == null || node.isEmpty()
                ? Optional.empty()
                : nodes.address(new NodeId(node)).map(this::open);
    }

    private LiveWorkspaces open(URI server) {
        return new RemoteWorkspaces(new WorkspaceClient(URI.create(server + path), secret, client));
    }
}
