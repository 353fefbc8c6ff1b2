package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.approval.AnswerService;
import dev.satchel.server.approval.RunApprovals;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagZipWriter;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.callback.CallbackRoutes;
import dev.satchel.server.callback.CallbackService;
import dev.satchel.server.callback.CallbackUrls;
import dev.satchel.server.callback.DispatchFactory;
import dev.satchel.server.callback.RunJournals;
import dev.satchel.server.callback.RunSkillRoutes;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageReplay;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Signals;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.CancelRoutes;
import dev.satchel.server.execution.ExecutionLimits;
import dev.satchel.server.execution.ExecutionServices;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.RunContinuation;
import dev.satchel.server.execution.RunForwarding;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.execution.RunLease;
import dev.satchel.server.execution.RunSettlement;
import dev.satchel.server.execution.SandboxClient;
import dev.satchel.server.limit.ModelBudget;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunQueue;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogCompactor;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.runlog.RunReaders;
import dev.satchel.server.runlog.RunRoutes;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.skill.SkillLimits;
import dev.satchel.server.skill.SkillRoutes;
import dev.satchel.server.skill.SkillService;
import dev.satchel.server.skill.SkillSweeper;
import dev.satchel.server.skill.SkillUses;
import dev.satchel.server.usage.ModelCallRecorder;
import dev.satchel.server.usage.ModelMetrics;
import dev.satchel.server.workspace.WorkspaceHomes;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs: their files, their log, their execution and the callbacks of their sandboxes. */
final class RunWiring {
    private static final Duration SWEEP = Duration.ofHours(1);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final CommonServices common;
    private final SkillWiring skills;
    private final BagService bags;
    private final FileDownloads downloads;
    private final RunLog log;
    private final RunLogStreamer streamer;
    private final int maxRounds;
    private final int maxQueued;
    private final WorkspaceCopies copies;
    private final RunJournals journals;
    private final DispatchFactory dispatches;
    private final RunSettlement settlement;
    private final Executions executions;
    private final RunLauncher launcher;
    private final RunContinuation continuation;
    private final CallbackService callbacks;
    private final AnswerService answers;

    /** The sandbox is empty when no runs can be started; the homes when there is one server. */
    RunWiring(
            CommonServices common,
            Configuration configuration,
            Optional<SandboxClient> sandbox,
            WorkspaceWiring workspaces,
            Optional<WorkspaceHomes> homes,
            Supplier<URI> callbackUrl) {
        this.common = common;
        this.skills = new SkillWiring(common, configuration.skills());
        Database database = common.database();
        Stores stores = common.stores();
        CommonServices.Clocks clocks = common.clocks();
        CloseStack closing = common.closing();
        Configuration.RunLimits settings = configuration.runs();
        this.maxRounds = settings.maxRounds();
        this.maxQueued = settings.maxQueued();
        this.copies = workspaces.copies();
        ExecutionLimits limits = ExecutionLimits.of(settings.total(), settings.idle());

        this.bags =
                new BagService(
                        database,
                        stores.bags,
                        common.objects(),
                        configuration.bags(),
                        clocks.time());
        common.sweeps().every(SWEEP, bags::sweep);
        this.downloads = new FileDownloads(common.objects());

        Signals signals = closing.add(database.openSignals());
        this.log =
                closing.add(
                        new RunLog(
                                database,
                                stores.runLogs,
                                signals,
                                settings.log(),
                                clocks.steady()));
        RunReaders readers =
                closing.add(new RunReaders(database, stores.runReaders, clocks.leases()));
        this.streamer = new RunLogStreamer(log, readers, HEARTBEAT);
        RunLogCompactor compactor =
                new RunLogCompactor(
                        database,
                        stores.runs,
                        stores.runLogs,
                        configuration.ages().retention().trace(),
                        clocks.time());
        common.sweeps().every(SWEEP, compactor::sweep);

        CallbackUrls urls =
                new CallbackUrls(
                        callbackUrl,
                        stores.keys.key("bag-zip"),
                        settings.zipUrlTtl(),
                        clocks.leases());
        MessageReplay replay =
                new MessageReplay(database, stores.conversations, settings.replayTurns());
        this.journals = new RunJournals(database, stores.runs, stores.queues, log);
        this.dispatches =
                new DispatchFactory(
                        urls,
                        replay,
                        bags,
                        copies,
                        new RunApprovals(database, stores.asks, stores.chatPermissions),
                        maxRounds);
        this.settlement =
                new RunSettlement(
                        database,
                        new RunSettlement.Storage(
                                stores.runs,
                                stores.conversations,
                                stores.bags,
                                stores.asks,
                                stores.queues),
                        log,
                        common.runs(),
                        clocks.time());
        RunQueue queue =
                new RunQueue(
                        stores.runs,
                        common.limits(),
                        new RunQueue.Uses(
                                new ModelBudget(common.limits(), clocks.time()), common.quota()),
                        clocks.steady());
        this.executions =
                new Executions(
                        database,
                        stores.runs,
                        new ExecutionServices(
                                sandbox,
                                dispatches,
                                log,
                                workspaces.manager(),
                                settlement,
                                new ModelCallRecorder(
                                        configuration.models(),
                                        new ModelMetrics(common.metrics().registry()),
                                        clocks.time()),
                                queue,
                                common.runs(),
                                clocks.steady()),
                        RunLease.of(limits.lease(), clocks.leases()),
                        limits);
        RunTokens tokens = new RunTokens(stores.runTokens, limits.run());
        RunLauncher.Storage storage = new RunLauncher.Storage(stores.runs, log, tokens, queue);
        this.launcher =
                new RunLauncher(
                        database,
                        storage,
                        new RunLauncher.Definitions(configuration.models(), skills.skills()),
                        executions,
                        homes.map(it -> new RunForwarding(signals, it)));
        this.continuation =
                new RunContinuation(
                        database,
                        storage,
                        stores.conversations,
                        launcher,
                        common.runs(),
                        settings.maxContinuations());
        executions.continueWith(continuation);
        if (database.dialect() == Dialect.SQLITE) { // its directory is locked: no other server runs
            executions.endRunsOfDeadServers();
        }
        if (homes.isPresent()) {
            closing.add(new Scheduler("forwarded-runs"))
                    .every(limits.look(), launcher::takeForwarded);
        }
        this.answers =
                new AnswerService(
                        database,
                        stores.runs,
                        stores.asks,
                        stores.chatPermissions,
                        new AnswerService.Continuation() {
                            @Override
                            public void requireAvailable() {
                                executions.requireAvailable();
                            }

                            @Override
                            public Optional<Runnable> prepare(Transaction tx, Run run) {
                                return continuation
                                        .prepare(tx, run, RunContinuation.Cause.ANSWERED)
                                        .map(
                                                next ->
                                                        () ->
                                                                continuation.start(
                                                                        next,
                                                                        RunContinuation.Cause
                                                                                .ANSWERED));
                            }
                        },
                        clocks.time());
        this.callbacks =
                new CallbackService(database, stores.runs, tokens, urls, bags, clocks.leases());
    }

    /** Returns the routes of files, with which an asset can be saved. */
    RunFileRoutes addTo(Router router, Authentication access) {
        new CallbackRoutes(
                        callbacks, dispatches, journals, bags, new BagZipWriter(common.objects()))
                .addTo(router);
        RunRoutes runs = routes(access);
        runs.addTo(router);
        new CancelRoutes(runs, executions, access).addTo(router);
        RunFileRoutes files = new RunFileRoutes(runs, bags, copies, downloads, access);
        files.addTo(router);
        return files;
    }

    /** The routes of runs, with which other routes find their run. */
    RunRoutes routes(Authentication access) {
        return new RunRoutes(common.database(), common.stores().runs, log, streamer, access);
    }

    SkillWiring skills() {
        return skills;
    }

    BagService bags() {
        return bags;
    }

    FileDownloads downloads() {
        return downloads;
    }

    RunLog log() {
        return log;
    }

    RunLogStreamer streamer() {
        return streamer;
    }

    /** The rounds of a run whose agent names no number. */
    int maxRounds() {
        return maxRounds;
    }

    /** How many messages of a chat may wait for their turn. */
    int maxQueued() {
        return maxQueued;
    }

    /** Calls the listener when a run of a chat has ended. */
    void onFreed(Consumer<ConversationId> listener) {
        settlement.onFreed(listener);
    }

    Executions executions() {
        return executions;
    }

    RunLauncher launcher() {
        return launcher;
    }

    RunContinuation continuation() {
        return continuation;
    }

    AnswerService answers() {
        return answers;
    }

    CallbackService callbacks() {
        return callbacks;
    }

    /** Skills of agents. */
    static final class SkillWiring {
        private final SkillLimits limits;
        private final SkillService skills;

        SkillWiring(CommonServices common, SkillLimits limits) {
            Stores stores = common.stores();
            SkillUses uses = new SkillUses(stores.agents::naming, stores.runs::needSkill);
            this.limits = limits;
            this.skills =
                    new SkillService(
                            common.database(),
                            new SkillService.Stores(stores.skills, stores.access, common.objects()),
                            uses,
                            limits,
                            common.clocks().time());
            SkillSweeper sweeper =
                    new SkillSweeper(
                            common.database(),
                            stores.skills,
                            common.objects(),
                            uses.runs(),
                            common.clocks().time());
            common.sweeps().every(SWEEP, sweeper::sweep);
        }

        void addTo(Router router, Authentication access, CallbackService callbacks) {
            new SkillRoutes(skills, limits, access).addTo(router);
            new RunSkillRoutes(callbacks, skills).addTo(router);
        }

        SkillService skills() {
            return skills;
        }
    }
}
