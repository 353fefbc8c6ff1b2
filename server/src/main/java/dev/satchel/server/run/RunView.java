package dev.satchel.server.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.agent.AgentReference;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.skill.SkillReference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run as JSON. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record RunView(
        String id,
        @Nullable String chatId,
        @Nullable String messageId,
        @Nullable String agentId,
        @Nullable Long agentVersion,
        List<SkillReference.Version> skills,
        String status,
        int attempt,
        long lastSeq,
        long startedAt,
        @Nullable Long endedAt) {

    public static RunView of(Run run) {
        ConversationId chat = run.chat();
        MessageId message = run.userMessageId();
        AgentReference agent = run.setup().agent();
        return new RunView(
                run.id().value(),
                chat == null ? null : chat.value(),
                message == null ? null : message.value(),
                agent == null ? null : agent.id(),
                agent == null ? null : agent.version(),
                run.setup().skills().stream().map(SkillReference::shown).toList(),
                run.status().wireName(),
                run.attempt(),
                run.lastSeq(),
                run.startedAt(),
                run.endedAt());
    }
}
