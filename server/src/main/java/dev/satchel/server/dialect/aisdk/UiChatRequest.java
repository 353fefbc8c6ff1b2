package dev.satchel.server.dialect.aisdk;

import dev.satchel.http.Fields;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.dialect.ClientMessage;
import dev.satchel.server.dialect.ClientMessageBuilder;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.turn.AgentSelection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of {@code useChat}. It holds the whole history, of which only the last user message
 * is read: the server has the thread.
 */
public record UiChatRequest(
        String id,
        List<Message> messages,
        @Nullable String agentId,
        @Nullable String model,
        @Nullable String trigger,
        @Nullable String messageId,
        @Nullable String onDisconnect) {
    public UiChatRequest {
        Fields.text("id", id, 256);
        messages = messages == null ? List.of() : List.copyOf(messages);
    }

    record Message(@Nullable String id, String role, List<Part> parts) {
        Message {
            parts = parts == null ? List.of() : List.copyOf(parts);
        }
    }

    record Part(
            String type,
            @Nullable String text,
            @Nullable String mediaType,
            @Nullable String filename,
            @Nullable String url,
            @Nullable String state,
            @Nullable Approval approval) {}

    /** What the person says to a {@code tool-approval-request}; the reason may be an answer. */
    record Approval(String id, @Nullable Boolean approved, @Nullable String reason) {}

    /** The approvals of a request that has no new message; empty for one that has. */
    List<AnswerRequest.Answer> answers() {
        if (messages.isEmpty() || !"assistant".equals(messages.getLast().role())) {
            return List.of();
        }
        List<AnswerRequest.Answer> answers = new ArrayList<>();
        for (Part part : messages.getLast().parts()) {
            Approval approval = part.approval();
            if (approval != null
                    && "approval-responded".equals(part.state())
                    && approval.approved() != null) {
                answers.add(
                        new AnswerRequest.Answer(
                                approval.id(),
                                approval.approved() ? "allow" : "deny",
                                approval.reason(),
                                null));
            }
        }
        return answers;
    }

    /** {@code useChat} sends what its {@code body} has. */
    AgentSelection selection() {
        return new AgentSelection(agentId, model);
    }

    ClientMessage last() {
        Message last =
                messages.reversed().stream()
                        .filter(message -> "user".equals(message.role()))
                        .findFirst()
                        .orElseThrow(() -> Fields.invalid("messages", "has none of the user"));
        ClientMessageBuilder builder = new ClientMessageBuilder();
        for (Part part : last.parts()) {
            if ("text".equals(part.type()) && part.text() != null) {
                builder.text(part.text());
            } else if ("file".equals(part.type()) && part.url() != null) {
                builder.fileAt(part.url(), part.filename(), part.mediaType());
            }
        }
        return builder.build(last.id());
    }

    /** A {@code messageId} with a message to send names the one that it replaces. */
    ClientThreads.Intent intent() {
        if ("regenerate-message".equals(trigger)) {
            return ClientThreads.Intent.REGENERATE;
        }
        return messageId == null ? ClientThreads.Intent.SEND : ClientThreads.Intent.EDIT;
    }
}
