package dev.satchel.server.session;

import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.workspace.SessionErrors;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with the agent that it was created with, and its status. A chat that was not
 * created as a session counts as an active session without an agent.
 */
public record Session(
        Conversation conversation,
        @Nullable AgentId agentId,
        String agentName,
        RunSetup setup,
        SessionConfig config,
        @Nullable String model,
        @Nullable ConversationId parentId,
        SessionStatus status) {

    static Session plain(Conversation conversation) {
        return new Session(
                conversation,
                null,
                "",
                RunSetup.plain(),
                SessionConfig.NONE,
                null,
                null,
                SessionStatus.ACTIVE);
    }

    /** Where a turn of this session starts. */
    TurnRequest.Target target() {
        return new TurnRequest.Target.Existing(conversation.id());
    }

    void requireNotEnded() {
        if (status == SessionStatus.ENDED) {
            throw SessionErrors.ended();
        }
    }

    Session copy(Conversation other, SessionStatus changed, @Nullable ConversationId parent) {
        return new Session(other, agentId, agentName, setup, config, model, parent, changed);
    }

    /** With the model and the tools that are named. */
    Session with(SessionConfigRequest changes) {
        String named = changes.model();
        return new Session(
                conversation,
                agentId,
                agentName,
                named == null ? setup : setup.with(changes.model(setup.model())),
                config.with(changes.config()),
                named == null ? model : named,
                parentId,
                status);
    }
}
