package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.workspace.WorkspaceHoldStore.Standing;
import dev.satchel.server.workspace.WorkspaceLock.Handle;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two locks on one database are the locks of two servers. */
@ParameterizedClass
@EnumSource(Dialect.class)
class WorkspaceLockTest {
    private final Clock clock = Clock.systemUTC();
    private final MovableClock steady = new MovableClock();
    private final ConversationStore conversations = new ConversationStore();
    private final ConversationId chat = ConversationId.random();
    private final RunId run = RunId.random();
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final Database database;
    private final WorkspaceLock one;
    private final WorkspaceLock other;

    WorkspaceLockTest(Dialect dialect) {
        database = TestDatabases.fresh(dialect);
        new ApiKeys(database, new AccessStore(), clock)
                .acceptConfigured(new CallerSecret("key-of-the-tenant"));
        database.change(
                tx ->
                        conversations.create(
                                tx, Caller.owner(TenantId.DEFAULT), chat, null, null, 1));
        one =
                new WorkspaceLock(
                        database,
                        new WorkspaceHoldStore(new ConversationStore()),
                        new LeaseClock(database, clock),
                        steady);
        other =
                new WorkspaceLock(
                        database,
                        new WorkspaceHoldStore(new ConversationStore()),
                        new LeaseClock(database, clock),
                        steady);
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
        database.close();
    }

    @Test
    void aRunOnAnotherServerWaitsForAChange() throws Exception {
        Handle change = one.outsideRuns(chat).orElseThrow();
        beginRun();
        Thread waiting = waiting("run", () -> other.forRun(chat));

        order.add("changed");
        change.close();

        waiting.join();
        assertThat(order).containsExactly("changed", "run");
    }

    @Test
    void workOutsideOfRunsIsRefusedDuringARunOnAnotherServer() throws Exception {
        beginRun();
        other.forRun(chat).close();

        assertThat(one.outsideRuns(chat)).isEmpty();
        endRun();
        Optional<Handle> free = one.outsideRuns(chat);
        assertThat(free).isPresent();
        free.get().close();
    }

    @Test
    void changesOfTwoServersAreMadeOneAfterTheOther() throws Exception {
        Handle change = one.outsideRuns(chat).orElseThrow();
        Thread waiting = waiting("second", () -> other.outsideRuns(chat).orElseThrow());

        order.add("first");
        change.close();

        waiting.join();
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void theNextRunOnAnyServerWaitsForTheSnapshotOfTheLast() throws Exception {
        CountDownLatch saved = new CountDownLatch(1);
        Thread saving = Thread.ofVirtual().start(() -> await(saved));
        beginRun();
        one.holdUntilEnd(saving, run(), chat);
        endRun();
        Thread waiting = waiting("next run", () -> other.forRun(chat));

        order.add("saved");
        saved.countDown();

        waiting.join();
        assertThat(order).containsExactly("saved", "next run");
    }

    @Test
    void theHoldOfADeadServerExpires() throws Exception {
        Handle _ = one.outsideRuns(chat).orElseThrow();
        one.close();
        Thread waiting = waiting("run", () -> other.forRun(chat));

        order.add("dead");
        database.change(
                tx ->
                        tx.update("UPDATE conversation SET workspace_held_until = 1")
                                .execute()); // as its time goes by

        waiting.join();
        assertThat(order).containsExactly("dead", "run");
    }

    /** With SQLite no other server can hold anything. */
    @Test
    void aServerWithSqliteReleasesAllHoldsAtItsStart() throws Exception {
        Handle _ = one.outsideRuns(chat).orElseThrow();
        one.close();

        try (WorkspaceLock _ =
                new WorkspaceLock(
                        database,
                        new WorkspaceHoldStore(new ConversationStore()),
                        new LeaseClock(database, clock),
                        steady)) {
            Standing left =
                    database.read(
                                    tx ->
                                            new WorkspaceHoldStore(new ConversationStore())
                                                    .find(tx, chat))
                            .orElseThrow();
            assertThat(left.isHeld(1)).isEqualTo(database.dialect() == Dialect.POSTGRESQL);
        }
    }

    @Test
    void afterAGapAHoldCountsUntilItsServerHadTheTimeToRenewIt() throws Exception {
        Handle _ = one.outsideRuns(chat).orElseThrow();
        one.close(); // renews nothing, as during an outage
        assertThat(other.isHeld(chat)).isTrue();
        long expired = clock.millis() + 5; // the clock of the database may round up
        database.change(
                tx ->
                        tx.update("UPDATE conversation SET workspace_held_until = :until")
                                .bind("until", expired)
                                .execute());
        steady.advance(Duration.ofMinutes(1));
        while (clock.millis() <= expired + 5) {
            Thread.onSpinWait();
        }

        assertThat(other.isHeld(chat)).isTrue();
        steady.advance(Duration.ofSeconds(10));
        assertThat(other.isHeld(chat)).isFalse();
    }

    @Test
    void theTimeoutIsLongerThanAHold() {
        assertThat(WorkspaceLock.TIMEOUT).isGreaterThan(WorkspaceLock.HOLD.plusSeconds(10));
    }

    private interface Acquisition {
        Handle acquire() throws Exception;
    }

    /** Returns when the thread waits. */
    private Thread waiting(String name, Acquisition acquisition) {
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try (Handle _ = acquisition.acquire()) {
                                        order.add(name);
                                    } catch (Exception e) {
                                        order.add(e.toString());
                                    }
                                });
        while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private void beginRun() {
        long _ =
                database.write(
                        tx ->
                                conversations
                                        .take(
                                                tx,
                                                Caller.owner(TenantId.DEFAULT),
                                                chat,
                                                MessageId.random(),
                                                run,
                                                1)
                                        .orElseThrow());
    }

    private void endRun() {
        boolean freed = database.write(tx -> conversations.free(tx, chat, run, 1, 1));
        assertThat(freed).isTrue();
    }

    private Run run() {
        return new Run(
                run,
                TenantId.DEFAULT,
                chat,
                null,
                null,
                1,
                "prompt",
                RunSetup.plain(),
                RunStatus.RUNNING,
                new ServerProcessId("owner"),
                1,
                1,
                1,
                null);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
