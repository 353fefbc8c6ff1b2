package dev.satchel.server.staging;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.run.Run;
import dev.satchel.server.staging.StagedCopyStore.StagedCopy;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of assets that agents put into their workspaces during a run. They are deleted after the
 * same time as those of {@code /mcp}, when no run is active, unless the agent has changed them.
 */
public final class StagedCopies {
    private static final Logger LOG = LoggerFactory.getLogger(StagedCopies.class);
    private static final String DIRECTORY = "staged/";

    private final Database database;
    private final StagedCopyStore store;
    private final ConversationStore conversations;
    private final WorkspaceManager workspaces;
    private final Duration maxAge;
    private final Clock clock;

    public StagedCopies(
            Database database,
            StagedCopyStore store,
            ConversationStore conversations,
            WorkspaceManager workspaces,
            Duration maxAge,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.conversations = conversations;
        this.workspaces = workspaces;
        this.maxAge = maxAge;
        this.clock = clock;
    }

    /**
     * Where the copy of an asset belongs in the workspace of a run. It is recorded before it is
     * made: a copy without a row would stay for ever.
     */
    WorkspacePath add(Run run, Asset asset) {
        ConversationId conversation = run.conversation();
        StoredFile file = asset.file();
        String path = DIRECTORY + StagedAsset.name(asset.id(), file.name());
        if (conversation != null) {
            StagedCopy copy = new StagedCopy(path, file.size(), file.sha256(), clock.millis());
            database.change(tx -> store.put(tx, conversation, copy));
        }
        return new WorkspacePath(path);
    }

    /**
     * Deletes old copies in the live workspaces of this server. A workspace that is only a snapshot
     * now has its turn when it is live again.
     */
    public void sweep() {
        try {
            for (ConversationId id : workspaces.liveHere()) {
                sweep(id);
            }
        } catch (IOException e) {
            LOG.warn("cannot list workspaces with staged copies", e);
        }
    }

    private void sweep(ConversationId id) {
        List<StagedCopy> page = expired(id, "");
        Optional<Conversation> conversation =
                page.isEmpty() ? Optional.empty() : database.read(tx -> conversations.find(tx, id));
        while (conversation.isPresent() && !page.isEmpty()) {
            delete(conversation.get(), page);
            page = expired(id, page.getLast().path());
        }
    }

    private List<StagedCopy> expired(ConversationId id, String after) {
        return database.read(tx -> store.expired(tx, id, before(), after));
    }

    private long before() {
        return clock.millis() - maxAge.toMillis();
    }

    private void delete(Conversation conversation, List<StagedCopy> copies) {
        try {
            boolean done =
                    workspaces.changeIfUnused(
                            conversation,
                            directory -> {
                                for (StagedCopy copy : copies) {
                                    deleteUnchanged(directory, copy);
                                }
                            });
            if (done) {
                database.change(tx -> store.remove(tx, conversation.id(), copies));
            }
        } catch (IOException e) {
            LOG.warn("cannot delete staged copies chatId={}", conversation.id().value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void deleteUnchanged(SafeDirectory directory, StagedCopy copy)
            throws IOException {
        WorkspacePath path = new WorkspacePath(copy.path());
        try {
            if (directory.stat(path).isFile() && isUnchanged(directory, path, copy)) {
                directory.delete(path);
            }
        } catch (FileSystemException e) {
            LOG.debug("a staged copy has been moved or removed path={}", copy.path());
        }
    }

    private static boolean isUnchanged(SafeDirectory directory, WorkspacePath path, StagedCopy copy)
            throws IOException {
        try (OpenFile file = directory.open(path)) {
            return file.stat().size() == copy.size() && sha256(file).equals(copy.sha256());
        }
    }

    private static String sha256(OpenFile file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(
                        Channels.newInputStream(file.channel()),
                        MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
