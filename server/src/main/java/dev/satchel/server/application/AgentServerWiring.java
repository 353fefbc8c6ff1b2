package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agentserver.AgentChatRoutes;
import dev.satchel.server.agentserver.AgentServerRoutes;
import dev.satchel.server.agentserver.AgentSessionRoutes;
import dev.satchel.server.configuration.Configuration.Retention;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.deletion.ConversationDeletion;
import dev.satchel.server.deletion.ConversationDeletion.ConversationRows;
import dev.satchel.server.deletion.ErasureReceiptStore;
import dev.satchel.server.deletion.ErasureRoutes;
import dev.satchel.server.deletion.PersonErasure;
import dev.satchel.server.deletion.PersonRuns;
import dev.satchel.server.deletion.RetentionSweeper;
import dev.satchel.server.export.ChatExport;
import dev.satchel.server.export.ChatExportRoutes;
import dev.satchel.server.export.PersonExport;
import dev.satchel.server.export.PersonExportRoutes;
import dev.satchel.server.idempotency.IdempotencyStore;
import dev.satchel.server.limit.LimitStore;
import dev.satchel.server.run.RunQueueStore;
import dev.satchel.server.user.People;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The agent server protocol, the deletion of conversations for good, and the export of a person.
 */
final class AgentServerWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final CommonServices common;
    private final RunWiring runs;
    private final UploadWiring uploads;
    private final ConversationWiring conversations;
    private final ConversationDeletion deletion;
    private final PersonErasure people;
    private final PersonExport export;

    AgentServerWiring(
            CommonServices common,
            RunWiring runs,
            UploadWiring uploads,
            ConversationWiring conversations,
            WorkspaceWiring workspaces,
            McpWiring mcp) {
        this.common = common;
        this.runs = runs;
        this.uploads = uploads;
        this.conversations = conversations;
        this.export =
                new PersonExport(
                        common.database(),
                        common.stores().conversations,
                        common.objects(),
                        workspaces.workspaces());
        this.deletion =
                new ConversationDeletion(
                        common.database(),
                        conversations.chats(),
                        workspaces.manager(),
                        uploads.deletions(),
                        new ConversationRows(
                                common.stores().conversations, rows(common.stores(), uploads, mcp)),
                        common.clocks().time());
        this.people = erasure(common, uploads, deletion);
    }

    ConversationDeletion deletion() {
        return deletion;
    }

    void sweep(Retention retention) {
        RetentionSweeper sweeper =
                new RetentionSweeper(
                        common.database(),
                        deletion,
                        common.stores().runTokens,
                        new RetentionSweeper.Ages(
                                retention.trash(),
                                retention.chat(),
                                retention.headlessRun(),
                                retention.token(),
                                retention.audit()),
                        common.clocks().time());
        common.sweeps().every(SWEEP, people::sweep);
        common.sweeps().every(SWEEP, sweeper::sweep);
    }

    /** Begins the receipt, ends what runs for a removed person, and erases without waiting. */
    People.Removal removal() {
        Stores stores = common.stores();
        PersonRuns work =
                new PersonRuns(common.database(), stores.runs, stores.queues, runs.executions());
        ErasureReceiptStore receipts = new ErasureReceiptStore();
        return new People.Removal(
                (tx, user) -> {
                    Instant now = common.clocks().time().instant();
                    receipts.begin(tx, user.tenant(), user.id(), now);
                    work.dequeue(tx, user.tenant(), user.id());
                },
                user -> {
                    work.stop(user.tenant(), user.id());
                    common.sweeps().soon(people::sweep);
                });
    }

    private static PersonErasure erasure(
            CommonServices common, UploadWiring uploads, ConversationDeletion deletion) {
        return new PersonErasure(
                common.database(),
                deletion,
                uploads.uploads(),
                Map.of(
                        "modelCalls", common.stores().usage,
                        "storedResponses", new IdempotencyStore(),
                        "limits", new LimitStore(),
                        "queuePlaces", new RunQueueStore(),
                        "sharesWithThem", common.stores().shares),
                common.clocks().time());
    }

    void addTo(Router router, Authentication access) {
        new ErasureRoutes(common.database(), access).addTo(router);
        new PersonExportRoutes(export, common.database(), access, common.clocks().time())
                .addTo(router);
        ChatExport chatExport =
                new ChatExport(conversations.chats(), runs.bags(), common.objects());
        new ChatExportRoutes(chatExport, conversations.chats(), access).addTo(router);
        new AgentChatRoutes(
                        conversations.turns(),
                        conversations.chats(),
                        runs.executions(),
                        runs.streamer(),
                        access)
                .addTo(router);
        new AgentServerRoutes(conversations.agents(), common.database(), access).addTo(router);
        new AgentSessionRoutes(
                        conversations.chats(), runs.bags(), uploads.uploads(), deletion, access)
                .addTo(router);
    }

    /** The rows of every feature: a table comes before the tables that its rows refer to. */
    private static List<ConversationData> rows(Stores stores, UploadWiring uploads, McpWiring mcp) {
        return List.of(
                mcp.tokens(),
                stores.shares,
                stores.staged,
                stores.stagedCopies,
                uploads.uploads(),
                stores.snapshots,
                stores.sessions,
                stores.queues,
                stores.workspaceCopies,
                stores.bags,
                stores.usage,
                stores.asks,
                stores.chatPermissions,
                stores.chatAgents,
                stores.chatMarks,
                stores.openAiThreads,
                stores.runLogs,
                stores.runTokens,
                stores.runs,
                stores.conversations);
    }
}
