package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.Continuability;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunObserver;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.run.StaleRunException;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues runs whose process or runner was lost, or that were parked: as the next attempt, in the
 * next generation of their conversation. Of all servers that try, one continues the run, and what
 * the attempt before might still write is refused.
 */
public final class RunContinuation {
    private static final Logger LOG = LoggerFactory.getLogger(RunContinuation.class);

    /** The leases of runs that were given back, by their cause. */
    private static final long DRAINED_LEASE = -2;

    private static final long LOST_LEASE = -1;

    /** How long a lost run waits for a server that can continue it. */
    private static final Duration CLAIM_TIMEOUT = Duration.ofMinutes(2);

    private final Database database;
    private final RunStore runs;
    private final RunLog log;
    private final RunTokens tokens;
    private final ConversationStore conversations;
    private final RunLauncher launcher;
    private final RunObserver observer;
    private final int maxContinuations;
    private final Map<RunId, Long> unclaimed = new ConcurrentHashMap<>();

    /** Why a run is continued. */
    public enum Cause {
        /** Its server or its runner was lost; this may happen only a few times. */
        LOST,
        /** Its server was stopped. */
        DRAINED,
        /** A person has answered what it waited for. */
        ANSWERED
    }

    /**
     * @param maxContinuations how often a run may be continued because it was lost
     */
    public RunContinuation(
            Database database,
            RunLauncher.Storage storage,
            ConversationStore conversations,
            RunLauncher launcher,
            RunObserver observer,
            int maxContinuations) {
        this.database = database;
        this.runs = storage.runs();
        this.log = storage.log();
        this.tokens = storage.tokens();
        this.conversations = conversations;
        this.launcher = launcher;
        this.observer = observer;
        this.maxContinuations = maxContinuations;
    }

    /**
     * Stores the next attempt of a run; {@link #start} starts it after the commit. Empty when the
     * run cannot be continued, has ended, or another process continues it.
     */
    public Optional<RunLauncher.Prepared> prepare(Transaction tx, Run run, Cause cause) {
        if (!isContinuable(tx, run, cause)) {
            return Optional.empty();
        }
        RunLease lease = launcher.lease();
        long until = lease.until(lease.now(tx));
        boolean lost = cause == Cause.LOST;
        if (!runs.continueRun(tx, run, lost, lease.owner(), until)) {
            return Optional.empty();
        }
        if (!conversations.advance(tx, run.conversation(), run.id(), run.generation())) {
            throw new StaleRunException(run.id()); // undoes what was stored
        }
        Run next = runs.find(tx, run.id()).orElseThrow();
        log.write(tx, run.id(), List.of(resumed(next)));
        return Optional.of(launcher.prepareNext(tx, runs.find(tx, run.id()).orElseThrow()));
    }

    /** Starts the attempt after the commit, here or on the node that has the workspace. */
    public void start(RunLauncher.Prepared prepared, Cause cause) {
        Run run = prepared.run();
        observer.continued(run, cause.name());
        log.signal(run.id());
        LOG.info("run continued runId={} attempt={}", run.id().value(), run.attempt());
        launcher.start(prepared);
    }

    /**
     * Continues a lost run if sandboxes can run it here, else leaves it for some time to a server
     * that can. False when it must be ended.
     */
    boolean continueOrWait(Run run, boolean isAvailable) {
        Cause cause = causeOf(run);
        if (!isContinuable(run, cause)) {
            unclaimed.remove(run.id());
            return false;
        }
        if (isAvailable && attempt(run, cause)) {
            unclaimed.remove(run.id());
            return true;
        }
        long now = System.nanoTime();
        Long since = unclaimed.putIfAbsent(run.id(), now);
        return since == null || now - since < CLAIM_TIMEOUT.toNanos();
    }

    /** Continues a run; false when that is not possible. */
    private boolean attempt(Run run, Cause cause) {
        Optional<RunLauncher.Prepared> prepared;
        try {
            prepared = database.write(tx -> prepare(tx, run, cause));
        } catch (StaleRunException e) {
            LOG.warn("a run without its conversation is not continued runId={}", run.id().value());
            return false;
        }
        prepared.ifPresent(next -> start(next, cause));
        return prepared.isPresent();
    }

    /** Gives a run back, so that the next server that sees it continues it. */
    boolean release(Run run, Cause cause) {
        long lease = cause == Cause.DRAINED ? DRAINED_LEASE : LOST_LEASE;
        boolean released =
                database.write(tx -> isContinuable(tx, run, cause) && runs.release(tx, run, lease));
        if (released) {
            log.signal(run.id());
            LOG.info("run released runId={} cause={}", run.id().value(), cause);
        }
        return released;
    }

    /** Whether {@link #prepare} can continue the run. */
    boolean isContinuable(Run run, Cause cause) {
        return database.read(tx -> isContinuable(tx, run, cause));
    }

    /**
     * With its journal, or when no runner has fetched its task. A run that another process wants
     * stopped is not continued, and neither is that of a person who is out.
     */
    private boolean isContinuable(Transaction tx, Run run, Cause cause) {
        Continuability state = runs.continuability(tx, run.id());
        boolean mayBeLost = cause != Cause.LOST || state.continuations() < maxContinuations;
        return run.isJournaled()
                && mayBeLost
                && !state.journalFull()
                && state.stopReason() == null
                && !state.personIsOut()
                && (log.lastJournalLine(tx, run.id()) > 0 || !tokens.hasBegun(tx, run.id()));
    }

    /** The cause of a run whose lease is over. */
    static Cause causeOf(Run run) {
        return run.leaseUntil() == DRAINED_LEASE ? Cause.DRAINED : Cause.LOST;
    }

    /** Whether its process has given the run back: no other server has to be waited for. */
    static boolean isReleased(Run run) {
        return run.leaseUntil() <= LOST_LEASE;
    }

    /** The reason for which another process wants the run stopped. */
    Optional<StopReason> stopReason(Run run) {
        Continuability state = database.read(tx -> runs.continuability(tx, run.id()));
        return Optional.ofNullable(state.stopReason()).map(StopReason::valueOf);
    }

    private static RunLogLine resumed(Run next) {
        SandboxLine line = new SandboxLine.Resumed(next.attempt(), null);
        return new RunLogLine(
                next.lastSeq() + 1, line.type(), Json.MAPPER.writeValueAsString(line));
    }
}
