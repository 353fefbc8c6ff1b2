package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.agentserver.AgentChatRoutes;
import dev.satchel.server.agentserver.AgentServerRoutes;
import dev.satchel.server.agentserver.AgentSessionRoutes;
import dev.satchel.server.bag.BagCopier;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.bag.BagZipWriter;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.callback.CallbackRoutes;
import dev.satchel.server.callback.CallbackService;
import dev.satchel.server.callback.CallbackUrls;
import dev.satchel.server.callback.DispatchFactory;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageReplay;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Signals;
import dev.satchel.server.deletion.ConversationDeletion;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.agui.AgUiRoutes;
import dev.satchel.server.dialect.aisdk.AiSdkRoutes;
import dev.satchel.server.execution.CancelRoutes;
import dev.satchel.server.execution.ExecutionLimits;
import dev.satchel.server.execution.ExecutionServices;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.RunForwarding;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.execution.RunLease;
import dev.satchel.server.execution.RunSettlement;
import dev.satchel.server.execution.SandboxClient;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokenStore;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogStore;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.runlog.RunRoutes;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.session.AttachmentRoutes;
import dev.satchel.server.session.ExecRoutes;
import dev.satchel.server.session.MessageRoutes;
import dev.satchel.server.session.SessionRoutes;
import dev.satchel.server.session.SessionService;
import dev.satchel.server.session.SessionStore;
import dev.satchel.server.session.SessionTimeline;
import dev.satchel.server.session.ThreadCopier;
import dev.satchel.server.session.TimelineRoutes;
import dev.satchel.server.storage.StorageRoutes;
import dev.satchel.server.storage.StorageUsage;
import dev.satchel.server.turn.ChatRoutes;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.TurnFiles;
import dev.satchel.server.turn.TurnRoutes;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceHomes;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Conversations, bags, runs and turns, from their stores up to their routes. */
final class TurnWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final CloseStack closing;
    private final Database database;
    private final ObjectStore objects;
    private final Scheduler sweeps;
    private final Clock clock;
    private final Clock steady;
    private final LeaseClock leases;

    private final ConversationStore conversationStore = new ConversationStore();
    private final RunStore runStore = new RunStore();
    private final RunLogStore logStore = new RunLogStore(runStore);
    private final RunTokenStore tokenStore = new RunTokenStore();
    private final BagStore bagStore = new BagStore(conversationStore);
    private final SessionStore sessionStore = new SessionStore();

    TurnWiring(
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
        this.steady = steady;
        this.leases = new LeaseClock(database, clock);
    }

    /**
     * Returns what must end before the listener does: runs in flight settle, so that streams can
     * close.
     */
    Executions addTo(
            Router router,
            Authentication access,
            Settings settings,
            Optional<SandboxClient> sandbox,
            WorkspaceWiring workspaces,
            Optional<WorkspaceHomes> homes,
            Supplier<URI> publicUrl) {
        BagService bags = new BagService(database, bagStore, objects, settings.bagLimits(), clock);
        sweeps.every(SWEEP, bags::sweep);

        Signals signals = closing.add(database.openSignals());
        RunLog log = closing.add(new RunLog(database, logStore, signals));
        RunLogStreamer streamer = new RunLogStreamer(log, settings.heartbeat());
        RunSettlement settlements =
                new RunSettlement(database, runStore, conversationStore, bagStore, log, clock);
        MessageReplay replay =
                new MessageReplay(database, conversationStore, settings.replayTurns());
        String signingKey = new SigningKeyStore(database).key("bag-zip");
        CallbackUrls urls = new CallbackUrls(publicUrl, signingKey, settings.zipUrlTtl(), leases);
        DispatchFactory dispatches = new DispatchFactory(urls, replay, bags);
        ExecutionLimits limits = settings.executionLimits();
        Executions executions =
                new Executions(
                        database,
                        runStore,
                        new ExecutionServices(
                                sandbox,
                                dispatches,
                                log,
                                workspaces.manager(),
                                settlements,
                                steady),
                        RunLease.of(limits.lease(), leases),
                        limits);

        if (database.dialect() == Dialect.SQLITE) { // its directory is locked: no other server runs
            executions.endRunsOfDeadServers();
        }

        RunTokens tokens = new RunTokens(tokenStore, limits.run());
        RunLauncher launcher =
                new RunLauncher(
                        database,
                        runStore,
                        log,
                        tokens,
                        executions,
                        homes.map(it -> new RunForwarding(signals, it)));
        if (homes.isPresent()) {
            closing.add(new Scheduler("forwarded-runs"))
                    .every(limits.look(), launcher::takeForwarded);
        }
        CallbackService callbacks =
                new CallbackService(database, runStore, tokens, urls, bags, leases);
        new CallbackRoutes(callbacks, dispatches, bags, new BagZipWriter(objects)).addTo(router);

        UploadWiring uploads =
                new UploadWiring(
                        database,
                        objects,
                        new UploadWiring.Stores(conversationStore, bagStore, settings.bagLimits()),
                        sweeps,
                        settings.ages().temporaryUpload(),
                        clock);
        TurnService turns =
                new TurnService(
                        database,
                        conversationStore,
                        new TurnFiles(uploads.claims(), bags, bagStore),
                        launcher,
                        clock);
        ChatService chats =
                new ChatService(database, conversationStore, runStore, bagStore, executions, clock);
        FileDownloads downloads = new FileDownloads(objects);
        new TurnRoutes(turns, chats, executions, streamer, access).addTo(router);
        new ChatRoutes(chats, access).addTo(router);
        BagRoutes chatFiles = new BagRoutes(database, conversationStore, bags, downloads, access);
        chatFiles.addTo(router);
        RunRoutes runs = new RunRoutes(database, runStore, log, streamer, access);
        runs.addTo(router);
        new CancelRoutes(runs, executions, access).addTo(router);
        RunFileRoutes runFiles = new RunFileRoutes(runs, bags, downloads, access);
        runFiles.addTo(router);

        AgentAndAssetWiring saved =
                new AgentAndAssetWiring(database, objects, clock, router, access);
        AgentService agents = saved.addAgents(executions, launcher, streamer, bags);
        SessionService sessions =
                new SessionService(
                        database,
                        sessionStore,
                        conversationStore,
                        chats,
                        agents,
                        new ThreadCopier(
                                database,
                                conversationStore,
                                new BagCopier(database, bagStore, objects, clock)),
                        workspaces.manager());
        SessionLookup lookup = workspaces.sessions();
        new SessionRoutes(sessions, lookup, access).addTo(router);
        new MessageRoutes(sessions, lookup, turns, streamer, access).addTo(router);
        new ExecRoutes(sessions, lookup, turns, executions, streamer, access).addTo(router);
        new TimelineRoutes(new SessionTimeline(database, runStore, logStore), lookup, access)
                .addTo(router);
        new AttachmentRoutes(lookup, bags, downloads, access).addTo(router);
        AgentAndAssetWiring.Kept kept =
                saved.addAssets(settings.bagLimits(), chatFiles, runFiles, callbacks, downloads);
        sweeps.every(SWEEP, kept.sweep());
        uploads.addTo(router, access, bags, conversationStore, chats);
        new AgentChatRoutes(turns, chats, executions, streamer, access).addTo(router);
        new AgentServerRoutes(agents, database, access).addTo(router);
        ClientThreads threads = new ClientThreads(chats, bags);
        new AiSdkRoutes(turns, threads, executions, streamer, access).addTo(router);
        new AgUiRoutes(turns, threads, executions, streamer, access).addTo(router);
        List<ConversationData> ofMcp =
                new McpWiring(database, objects, clock, router, access, sweeps)
                        .add(bagStore, chats, kept.assets(), settings.ages());
        ConversationDeletion deletion =
                new ConversationDeletion(
                        database,
                        chats,
                        workspaces.manager(),
                        uploads.deletions(),
                        inDeletionOrder(ofMcp, uploads, workspaces),
                        clock);
        new AgentSessionRoutes(chats, bags, uploads.uploads(), deletion, access).addTo(router);
        new StorageRoutes(
                        new StorageUsage(database),
                        settings.bagLimits(),
                        settings.ages().temporaryUpload(),
                        access)
                .addTo(router);
        return executions;
    }

    /** A table comes before the tables that its rows refer to. */
    private List<ConversationData> inDeletionOrder(
            List<ConversationData> ofMcp, UploadWiring uploads, WorkspaceWiring workspaces) {
        List<ConversationData> data = new ArrayList<>(ofMcp);
        data.add(uploads.uploads());
        data.add(workspaces.snapshotStore());
        data.add(sessionStore);
        data.add(bagStore);
        data.add(logStore);
        data.add(tokenStore);
        data.add(runStore);
        data.add(conversationStore);
        return data;
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
