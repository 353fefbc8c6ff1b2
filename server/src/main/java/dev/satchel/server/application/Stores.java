package dev.satchel.server.application;

import dev.satchel.server.access.AccessStore;
import dev.satchel.server.agent.AgentStore;
import dev.satchel.server.agent.ChatAgentStore;
import dev.satchel.server.approval.AskStore;
import dev.satchel.server.approval.ChatPermissionStore;
import dev.satchel.server.asset.AssetStore;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.bag.WorkspaceCopyStore;
import dev.satchel.server.conversation.ChatMarkStore;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.dialect.openai.OpenAiThreadStore;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokenStore;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.runlog.RunLogStore;
import dev.satchel.server.runlog.RunReaderStore;
import dev.satchel.server.session.SessionStore;
import dev.satchel.server.share.ShareStore;
import dev.satchel.server.skill.SkillStore;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.staging.StagedAssetStore;
import dev.satchel.server.staging.StagedCopyStore;
import dev.satchel.server.usage.ModelUsageStore;
import dev.satchel.server.workspace.WorkspaceHoldStore;
import dev.satchel.server.workspace.WorkspaceHomeStore;

/** The stores that more than one service uses. */
final class Stores {
    final AccessStore access = new AccessStore();
    final AgentStore agents = new AgentStore();
    final AskStore asks = new AskStore();
    final AssetStore assets = new AssetStore();
    final ChatAgentStore chatAgents = new ChatAgentStore();
    final ChatMarkStore chatMarks = new ChatMarkStore();
    final ChatPermissionStore chatPermissions = new ChatPermissionStore();
    final ConversationStore conversations = new ConversationStore();
    final RunConversationStore runConversations = new RunConversationStore(conversations);
    final BagStore bags = new BagStore(conversations);
    final OpenAiThreadStore openAiThreads = new OpenAiThreadStore();
    final QueueStore queues = new QueueStore();
    final RunStore runs = new RunStore();
    final ModelUsageStore usage = new ModelUsageStore();
    final RunLogStore runLogs = new RunLogStore(runs, usage, queues);
    final RunReaderStore runReaders = new RunReaderStore();
    final RunTokenStore runTokens = new RunTokenStore();
    final SessionStore sessions = new SessionStore();
    final ShareStore shares = new ShareStore();
    final SkillStore skills = new SkillStore();
    final SnapshotStore snapshots = new SnapshotStore(conversations);
    final StagedAssetStore staged = new StagedAssetStore();
    final StagedCopyStore stagedCopies = new StagedCopyStore();
    final WorkspaceCopyStore workspaceCopies = new WorkspaceCopyStore();
    final WorkspaceHoldStore workspaceHolds = new WorkspaceHoldStore(conversations);
    final WorkspaceHomeStore workspaceHomes = new WorkspaceHomeStore(conversations);
    final SigningKeyStore keys;

    Stores(Database database) {
        this.keys = new SigningKeyStore(database);
    }
}
