package dev.satchel.server.workspace;

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
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotRetention;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.snapshot.Tree;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The workspace of one conversation, with all that restores it, whose process may be killed. */
final class RestoringWorkspace implements AutoCloseable {
    private static final Clock CLOCK = Clock.systemUTC();

    private final Path folder;
    private final ConversationStore conversations = new ConversationStore();
    private final ConversationId chat = ConversationId.random();
    private final AtomicInteger callsLeft = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicInteger filesRead = new AtomicInteger();
    private final LateClock snapshotClock = new LateClock();
    private volatile boolean diskIsFull;
    private final Database database;
    private final WorkspaceLock lock;
    private final LiveWorkspaces live;
    private final SnapshotService snapshots;
    private final WorkspaceManager manager;
    private final WorkspaceRestorer restorer;
    private final WorkspaceService service;

    RestoringWorkspace(Dialect dialect, Path folder, ObjectStore objects) {
        this.folder = folder;
        this.database = TestDatabases.fresh(dialect);
        new ApiKeys(database, new AccessStore(), CLOCK)
                .acceptConfigured(new CallerSecret("key-of-the-tenant"));
        database.change(
                tx ->
                        conversations.create(
                                tx, Caller.owner(TenantId.DEFAULT), chat, null, null, 1));
        this.live = mortal(new LocalWorkspaces(new WorkspaceDirectories(folder, "test")));
        this.snapshots =
                new SnapshotService(
                        database,
                        new SnapshotStore(conversations),
                        objects,
                        SnapshotRetention.USUAL,
                        snapshotClock);
        this.lock =
                new WorkspaceLock(
                        database,
                        new WorkspaceHoldStore(conversations),
                        new LeaseClock(database, CLOCK),
                        CLOCK);
        WorkspaceManager.Saved saved =
                new WorkspaceManager.Saved(
                        snapshots,
                        new WorkspaceCopies(
                                database,
                                new BagStore(conversations),
                                new WorkspaceCopyStore(),
                                objects),
                        new PendingSnapshots(
                                database,
                                conversations,
                                new WorkspaceHomeStore(conversations),
                                live,
                                CLOCK));
        this.manager =
                new WorkspaceManager(
                        live, PeerWorkspaces.NONE, saved, lock, (_, _) -> WorkspaceTransfer.NONE);
        this.restorer =
                new WorkspaceRestorer(
                        database, conversations, live, PeerWorkspaces.NONE, saved, manager);
        this.service =
                new WorkspaceService(
                        database, conversations, live, PeerWorkspaces.NONE, snapshots, manager);
    }

    /** The process is killed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Kills the process at a call of a live directory from now on; 0 is the next call. */
    void dieAtCall(int calls) {
        callsLeft.set(calls);
    }

    /** Lets one call fail, as on a full disk. */
    void fillDiskAtCall(int calls) {
        diskIsFull = true;
        callsLeft.set(calls);
    }

    /** From now on the present files have not changed lately, so their times can be trusted. */
    void settle() {
        snapshotClock.late = true;
    }

    /** How many files have been opened to read their contents. */
    int filesRead() {
        return filesRead.get();
    }

    private static final class LateClock extends Clock {
        private volatile boolean late;

        @Override
        public Instant instant() {
            return late ? CLOCK.instant().plusSeconds(10) : CLOCK.instant();
        }

        @Override
        public ZoneId getZone() {
            return CLOCK.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return CLOCK.withZone(zone);
        }
    }

    void revive() {
        diskIsFull = false;

        callsLeft.set(Integer.MAX_VALUE);
    }

    private LiveWorkspaces mortal(LiveWorkspaces local) {
        return proxy(
                LiveWorkspaces.class,
                (method, arguments) -> {
                    Object result = invoke(local, method, arguments);
                    return result instanceof Optional<?> found
                                    && found.isPresent()
                                    && found.get() instanceof SafeDirectory directory
                            ? Optional.of(mortal(directory))
                            : result;
                });
    }

    private SafeDirectory mortal(SafeDirectory directory) {
        return proxy(
                SafeDirectory.class,
                (method, arguments) -> {
                    if (!method.getName().equals("close") && callsLeft.getAndDecrement() == 0) {
                        if (diskIsFull) {
                            throw new IOException("No space left on device");
                        }
                        callsLeft.set(0); // it stays dead
                        throw new Killed();
                    }
                    if (method.getName().equals("opener")) {
                        filesRead.addAndGet(((List<?>) arguments[0]).size());
                    }
                    return invoke(directory, method, arguments);
                });
    }

    private interface Call {
        Object make(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> call.make(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    Path path() {
        return folder.resolve(chat.value());
    }

    Path create() throws IOException {
        return Files.createDirectories(path());
    }

    Map<String, String> tree() throws IOException {
        return Tree.of(path());
    }

    Database database() {
        return database;
    }

    SnapshotService snapshots() {
        return snapshots;
    }

    WorkspaceManager manager() {
        return manager;
    }

    WorkspaceRestorer restorer() {
        return restorer;
    }

    LiveWorkspaces live() {
        return live;
    }

    WorkspaceView view() throws IOException {
        return service.view(conversation(), Optional.empty());
    }

    Conversation conversation() {
        return database.read(tx -> conversations.find(tx, chat)).orElseThrow();
    }

    Snapshot save() throws IOException, InterruptedException {
        manager.save(conversation());
        return snapshots.newest(chat).orElseThrow();
    }

    /** As a run does before it begins. */
    void use() throws IOException, InterruptedException {
        manager.restoreIfMissing(chat);
    }

    WorkspaceRestorer.Restored<Boolean> switchTo(Snapshot target)
            throws IOException, InterruptedException {
        return restorer.switchTo(conversation(), Optional.of(target), _ -> true);
    }

    @Override
    public void close() {
        manager.close();
        lock.close();
        database.close();
    }
}
