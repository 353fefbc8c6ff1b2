package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.bag.WorkspaceCopyStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.snapshot.SnapshotRetention;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.workspace.files.FileListing;
import dev.satchel.server.workspace.files.ListingFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits for a slow snapshot, and what does not. */
class WorkspaceManagerTest {
    @TempDir Path folder;

    @Test
    void onlyTheNextRunWaitsForASlowSnapshot() throws Exception {
        ConversationId chat = ConversationId.random();
        CountDownLatch released = new CountDownLatch(1);
        LiveWorkspaces live =
                new LocalWorkspaces(new WorkspaceDirectories(folder.resolve("workspaces"), "test"));
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                LatchedStore objects =
                        new LatchedStore(
                                new LocalObjectStore(folder.resolve("objects")), released)) {
            Clock clock = Clock.systemUTC();
            new ApiKeys(database, new AccessStore(), clock)
                    .acceptConfigured(new CallerSecret("key-of-the-tenant"));
            database.change(
                    tx ->
                            new ConversationStore()
                                    .create(
                                            tx,
                                            Caller.owner(TenantId.DEFAULT),
                                            chat,
                                            null,
                                            null,
                                            1));
            SnapshotService snapshots =
                    new SnapshotService(
                            database,
                            new SnapshotStore(new ConversationStore()),
                            objects,
                            SnapshotRetention.USUAL,
                            clock);
            try (WorkspaceLock lock =
                            new WorkspaceLock(
                                    database,
                                    new WorkspaceHoldStore(new ConversationStore()),
                                    new LeaseClock(database, clock),
                                    clock);
                    WorkspaceManager manager =
                            new WorkspaceManager(
                                    live,
                                    PeerWorkspaces.NONE,
                                    new WorkspaceManager.Saved(
                                            snapshots,
                                            new WorkspaceCopies(
                                                    database,
                                                    new BagStore(new ConversationStore()),
                                                    new WorkspaceCopyStore(),
                                                    objects),
                                            new PendingSnapshots(
                                                    database,
                                                    new ConversationStore(),
                                                    new WorkspaceHomeStore(new ConversationStore()),
                                                    live,
                                                    clock)),
                                    lock,
                                    (_, _) -> WorkspaceTransfer.NONE);
                    SafeDirectory directory = live.open(chat).orElseThrow()) {
                Files.writeString(folder.resolve("workspaces/" + chat.value() + "/a"), "1");

                var _ = manager.saveAfter(run(chat), true); // returns although the store hangs

                assertThat(snapshots.newest(chat)).isEmpty();
                assertThat(
                                new FileListing(
                                                new LiveWorkspaceView(directory),
                                                ListingFilter.DEFAULT)
                                        .after(Optional.empty(), 10))
                        .hasSize(1);
                CountDownLatch prepared = new CountDownLatch(1);
                Thread next =
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            try {
                                                var _ = manager.prepare(run(chat));
                                                prepared.countDown();
                                            } catch (Exception e) {
                                                throw new AssertionError(e);
                                            }
                                        });
                assertThat(prepared.getCount()).isEqualTo(1);
                released.countDown();
                next.join();
                assertThat(prepared.getCount()).isZero();
                assertThat(snapshots.newest(chat)).isPresent();
            }
        }
    }

    private static Run run(ConversationId chat) {
        return new Run(
                RunId.random(),
                TenantId.DEFAULT,
                chat,
                null,
                null,
                0,
                "prompt",
                RunSetup.plain(),
                RunStatus.RUNNING,
                new ServerProcessId("owner"),
                1,
                1,
                1,
                null);
    }
}
