package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agent.AgentFileRoutes;
import dev.satchel.server.agent.AgentRoutes;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.agent.AgentVersionRoutes;
import dev.satchel.server.approval.AskRoutes;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.branch.BranchRoutes;
import dev.satchel.server.branch.BranchService;
import dev.satchel.server.branch.HeadMover;
import dev.satchel.server.database.Database;
import dev.satchel.server.dialect.ClientAnswers;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.DialectServices;
import dev.satchel.server.dialect.a2a.A2aRoutes;
import dev.satchel.server.dialect.a2a.AgentCards;
import dev.satchel.server.dialect.agui.AgUiRoutes;
import dev.satchel.server.dialect.aisdk.AiSdkRoutes;
import dev.satchel.server.dialect.openai.OpenAiRoutes;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.model.ModelRoutes;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.turn.ChatAgents;
import dev.satchel.server.turn.ChatRoutes;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.MessageQueue;
import dev.satchel.server.turn.QueueRoutes;
import dev.satchel.server.turn.QueuedTurns;
import dev.satchel.server.turn.TurnFiles;
import dev.satchel.server.turn.TurnRoutes;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.usage.UsageReader;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

/** Conversations, their turns and agents, in our own protocol and in those of AI SDK and AG-UI. */
final class ConversationWiring {
    private static final Duration QUEUE_SWEEP = Duration.ofSeconds(2);

    private final CommonServices common;
    private final RunWiring runs;
    private final WorkspaceWiring workspaces;
    private final ModelRegistry models;
    private final TurnService turns;
    private final UploadWiring uploads;
    private final MessageQueue queue;
    private final QueuedTurns queuedTurns;
    private final Scheduler queueSweeps;
    private final ChatService chats;
    private final HeadMover heads;
    private final AgentService agents;

    ConversationWiring(
            CommonServices common,
            RunWiring runs,
            UploadWiring uploads,
            WorkspaceWiring workspaces,
            ModelRegistry models) {
        this.common = common;
        this.runs = runs;
        this.workspaces = workspaces;
        this.models = models;
        this.uploads = uploads;
        Database database = common.database();
        Stores stores = common.stores();
        TurnFiles files = new TurnFiles(uploads.claims(), runs.bags(), stores.bags);
        ChatAgents chatAgents =
                new ChatAgents(stores.agents, stores.chatAgents, stores.sessions::setup, models);
        this.heads =
                new HeadMover(
                        database,
                        stores.conversations,
                        workspaces.snapshots(),
                        workspaces.restorer());
        this.turns =
                new TurnService(
                        database,
                        new TurnService.Stored(stores.conversations, stores.queues, chatAgents),
                        files,
                        runs.launcher(),
                        heads,
                        common.clocks().time());
        this.queue =
                new MessageQueue(
                        database,
                        new MessageQueue.Stored(stores.conversations, stores.queues, chatAgents),
                        files,
                        runs.maxQueued(),
                        common.clocks().time());
        this.queuedTurns =
                new QueuedTurns(
                        database,
                        stores.access.users(),
                        queue,
                        turns,
                        runs.launcher(),
                        runs.executions());
        runs.onFreed(queuedTurns::startSoon);
        this.queueSweeps = common.closing().add(new Scheduler("queued-turns"));
        queueSweeps.every(QUEUE_SWEEP, queuedTurns::sweep);
        this.chats =
                new ChatService(
                        database,
                        new ChatService.Storage(
                                stores.conversations,
                                stores.chatMarks,
                                stores.runs,
                                stores.bags,
                                stores.queues,
                                stores.shares,
                                chatAgents),
                        runs.executions(),
                        common.clocks().time());
        this.agents =
                new AgentService(
                        database,
                        new AgentService.Stores(stores.agents, stores.chatAgents, stores.access),
                        models,
                        runs.skills().skills(),
                        runs.maxRounds(),
                        common.clocks().time());
    }

    /** Returns the routes of files, with which an asset can be saved. */
    BagRoutes addTo(Router router, Authentication access, Supplier<URI> publicUrl) {
        Database database = common.database();
        new TurnRoutes(queuedTurns, chats, runs.executions(), runs.streamer(), access)
                .addTo(router);
        new QueueRoutes(queue, queuedTurns, access).addTo(router);
        new BranchRoutes(new BranchService(database, common.stores().conversations, heads), access)
                .addTo(router);
        new ChatRoutes(chats, new UsageReader(database, common.stores().usage), access)
                .addTo(router);

        new AgentRoutes(agents, access).addTo(router);
        new AgentVersionRoutes(agents, access).addTo(router);
        new AgentFileRoutes(agents, access).addTo(router);
        new ModelRoutes(models, access).addTo(router);

        ClientThreads threads = new ClientThreads(chats, runs.bags());
        DialectServices dialects =
                new DialectServices(
                        turns,
                        threads,
                        new ClientAnswers(threads, runs.answers()),
                        runs.executions(),
                        runs.streamer(),
                        publicUrl);
        new AiSdkRoutes(dialects, access).addTo(router);
        new AgUiRoutes(dialects, access).addTo(router);
        new A2aRoutes(dialects, new AgentCards(agents, publicUrl, Application.version()), access)
                .addTo(router);
        new OpenAiRoutes(
                        dialects,
                        new OpenAiRoutes.Stored(
                                database,
                                common.stores().conversations,
                                common.stores().openAiThreads,
                                runs.bags(),
                                uploads.uploads(),
                                runs.downloads()),
                        new OpenAiRoutes.Choices(models, agents),
                        common.clocks().time(),
                        access)
                .addTo(router);
        new AskRoutes(runs.answers(), access).addTo(router);

        BagRoutes files =
                new BagRoutes(
                        database,
                        common.stores().conversations,
                        runs.bags(),
                        workspaces.copies(),
                        runs.downloads(),
                        access);
        files.addTo(router);
        return files;
    }

    /** Starts the turns that wait, without waiting for the next sweep. */
    void startQueuedTurns() {
        Thread.ofVirtual().name("queued-turns").start(queueSweeps::runAll);
    }

    void sweepQueues() {
        queueSweeps.runAll();
    }

    TurnService turns() {
        return turns;
    }

    ChatService chats() {
        return chats;
    }

    HeadMover heads() {
        return heads;
    }

    AgentService agents() {
        return agents;
    }
}
