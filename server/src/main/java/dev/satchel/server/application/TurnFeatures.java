package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.agent.Agents;
import dev.satchel.server.bag.BagCopies;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.bag.BagZip;
import dev.satchel.server.bag.Bags;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.Replay;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Signals;
import dev.satchel.server.dialect.AgUiRoutes;
import dev.satchel.server.dialect.AiSdkRoutes;
import dev.satchel.server.dialect.ForeignThreads;
import dev.satchel.server.execution.AgentUrls;
import dev.satchel.server.execution.CallbackRoutes;
import dev.satchel.server.execution.Callbacks;
import dev.satchel.server.execution.CancelRoutes;
import dev.satchel.server.execution.Dispatches;
import dev.satchel.server.execution.ExecutionLimits;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.Handovers;
import dev.satchel.server.execution.Launch;
import dev.satchel.server.execution.Lease;
import dev.satchel.server.execution.RunClocks;
import dev.satchel.server.execution.SandboxClient;
import dev.satchel.server.execution.Settlements;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunLog;
import dev.satchel.server.run.RunRoutes;
import dev.satchel.server.run.RunStarts;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokenStore;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.session.AttachmentRoutes;
import dev.satchel.server.session.ExecRoutes;
import dev.satchel.server.session.MessageRoutes;
import dev.satchel.server.session.SessionRoutes;
import dev.satchel.server.session.SessionStore;
import dev.satchel.server.session.Sessions;
import dev.satchel.server.session.ThreadCopies;
import dev.satchel.server.session.Timeline;
import dev.satchel.server.session.TimelineRoutes;
import dev.satchel.server.storage.Storage;
import dev.satchel.server.storage.StorageRoutes;
import dev.satchel.server.turn.ChatRoutes;
import dev.satchel.server.turn.Chats;
import dev.satchel.server.turn.TurnRoutes;
import dev.satchel.server.turn.Turns;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceHomes;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Conversations, bags, runs and turns, from their stores up to their routes. */
final class TurnFeatures {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final CloseStack closing;
    private final Database database;
    private final ObjectStore objects;
    private final Scheduler sweeps;
    private final Clock clock;
    private final RunClocks clocks;

    private final ConversationStore conversationStore = new ConversationStore();
    private final RunStore runStore = new RunStore();
    private final BagStore bagStore = new BagStore();

    TurnFeatures(
            CloseStack closing,
            Database database,
            ObjectStore objects,
            Scheduler sweeps,
            Clock clock,
            Clock steady) {
        this.closing = closing;
        this.database = database;
        this.objects = objects;
        this.sweeps = sweeps;
        this.clock = clock;
        this.clocks = new RunClocks(new LeaseClock(database, clock), steady);
    }

    /**
     * Returns what must end before the listener does: runs in flight settle, so that streams can
     * close.
     */
    Executions addTo(
            Router router,
            Access access,
            Settings settings,
            Optional<SandboxClient> sandbox,
            WorkspaceFeatures workspaces,
            Optional<WorkspaceHomes> homes,
            Supplier<URI> publicUrl) {
        Bags bags = new Bags(database, bagStore, objects, settings.bagLimits(), clock);
        sweeps.every(SWEEP, bags::sweep);

        Signals signals = closing.add(database.openSignals());
        RunLog log = closing.add(new RunLog(database, runStore, signals));
        RunFollower follower = new RunFollower(log, settings.heartbeat());
        Settlements settlements =
                new Settlements(database, runStore, conversationStore, bagStore, log, clock);
        ExecutionLimits limits = settings.executionLimits();
        Executions executions =
                new Executions(
                        database,
                        runStore,
                        log,
                        sandbox,
                        workspaces.keeper(),
                        settlements,
                        limits,
                        clocks);

        if (database.dialect() == Dialect.SQLITE) { // its folder is locked: we are alone
            executions.endThoseOfDeadServers();
        }

        Replay replay = new Replay(database, conversationStore, settings.replayTurns());
        String signingKey = new SigningKeyStore(database).key("bag-zip");
        AgentUrls urls =
                new AgentUrls(publicUrl, signingKey, settings.zipUrlTtl(), clocks.leases());
        Dispatches dispatches = new Dispatches(urls, replay, bags);
        RunTokens tokens = new RunTokens(new RunTokenStore(), limits.run());
        LeaseClock leases = clocks.leases();
        Lease lease = Lease.of(limits.lease(), leases);
        Launch launch =
                new Launch(
                        runStore,
                        tokens,
                        executions,
                        dispatches,
                        lease,
                        homes.map(it -> new Handovers(database, signals, it, runStore, lease)));
        if (homes.isPresent()) {
            closing.add(new Scheduler("handovers")).every(limits.look(), launch::takeOffered);
        }
        Callbacks callbacks = new Callbacks(database, runStore, tokens, urls, bags, leases);
        new CallbackRoutes(callbacks, dispatches, bags, new BagZip(objects)).addTo(router);

        Turns turns = new Turns(database, conversationStore, bagStore, executions, launch, clock);
        Chats chats = new Chats(database, conversationStore, runStore, bagStore, executions, clock);
        FileDownloads downloads = new FileDownloads(objects);
        RunStarts starts = new RunStarts(database, runStore);
        TurnRoutes turnRoutes = new TurnRoutes(turns, chats, executions, starts, follower, access);
        turnRoutes.addTo(router);
        new ChatRoutes(chats, access).addTo(router);
        BagRoutes chatFiles = new BagRoutes(database, conversationStore, bags, downloads, access);
        chatFiles.addTo(router);
        RunRoutes runs = new RunRoutes(database, runStore, log, follower, access);
        runs.addTo(router);
        new CancelRoutes(runs, executions, access).addTo(router);
        RunFileRoutes runFiles = new RunFileRoutes(runs, bags, downloads, access);
        runFiles.addTo(router);

        SavedFeatures saved = new SavedFeatures(database, objects, clock, router, access);
        Agents agents = saved.addAgents(executions, launch, starts, follower, bags);
        Sessions sessions =
                new Sessions(
                        database,
                        new SessionStore(),
                        conversationStore,
                        chats,
                        agents,
                        new ThreadCopies(
                                database,
                                conversationStore,
                                new BagCopies(database, bagStore, objects, clock)),
                        workspaces.keeper());
        SessionLookup lookup = workspaces.sessions();
        new SessionRoutes(sessions, lookup, access).addTo(router);
        new MessageRoutes(sessions, lookup, turns, starts, follower, access).addTo(router);
        new ExecRoutes(sessions, lookup, turns, starts, follower, access).addTo(router);
        new TimelineRoutes(new Timeline(database, runStore), lookup, access).addTo(router);
        new AttachmentRoutes(lookup, bags, downloads, access).addTo(router);
        SavedFeatures.Kept kept =
                saved.addAssets(settings.bagLimits(), chatFiles, runFiles, callbacks, downloads);
        sweeps.every(SWEEP, kept.sweep());
        new UploadFeatures(database, objects, clock, router, access, sweeps)
                .add(
                        new UploadFeatures.Ground(
                                bags,
                                bagStore,
                                conversationStore,
                                chats,
                                turnRoutes,
                                agents,
                                workspaces.keeper()),
                        settings.ages());
        ForeignThreads threads = new ForeignThreads(chats, turnRoutes, bags);
        new AiSdkRoutes(threads, follower, access).addTo(router);
        new AgUiRoutes(threads, follower, access).addTo(router);
        new McpFeatures(database, objects, clock, router, access, sweeps)
                .add(bagStore, chats, kept.assets(), settings.ages());
        new StorageRoutes(
                        new Storage(database),
                        settings.bagLimits(),
                        settings.ages().temporaryUpload(),
                        access)
                .addTo(router);
        return executions;
    }

    /** The settings of runs and bags. */
    record Settings(
            dev.satchel.server.bag.BagLimits bagLimits,
            ExecutionLimits executionLimits,
            int replayTurns,
            Duration zipUrlTtl,
            Duration heartbeat,
            Configuration.Ages ages) {
        static Settings of(Configuration configuration) {
            Configuration.BagLimits bags = configuration.bags();
            Configuration.RunLimits runs = configuration.runs();
            return new Settings(
                    new dev.satchel.server.bag.BagLimits(
                            bags.maxFileBytes(), bags.maxFiles(), bags.maxBytes()),
                    ExecutionLimits.of(runs.total(), runs.idle()),
                    runs.replayTurns(),
                    runs.zipUrlTtl(),
                    Duration.ofSeconds(15),
                    configuration.ages());
        }
    }
}
