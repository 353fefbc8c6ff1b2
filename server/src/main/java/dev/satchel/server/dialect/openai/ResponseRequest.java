package dev.satchel.server.dialect.openai;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.satchel.http.Fields;
import dev.satchel.server.approval.AnswerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The body of {@code POST /v1/responses}. */
record ResponseRequest(
        String model,
        JsonNode input,
        @Nullable String instructions,
        @JsonProperty("previous_response_id") @Nullable String previous,
        @Nullable JsonNode conversation,
        @Nullable Boolean stream,
        @Nullable Boolean background,
        @Nullable List<JsonNode> tools,
        @Nullable JsonNode text,
        @Nullable String user,
        @JsonProperty("safety_identifier") @Nullable String safetyIdentifier,
        @Nullable Map<String, String> metadata) {
    private static final Set<String> KNOWN_OUTPUT =
            Set.of("reasoning", "mcp_call", "mcp_list_tools", "mcp_approval_request");

    ResponseRequest {
        Fields.text("model", model, 256);
        Fields.required("input", input);
        metadata = metadata == null ? null : Map.copyOf(metadata);
        if (tools != null && !tools.isEmpty()) {
            throw HistoryBlock.unsupported(
                    "tools", "are those of the agent; tools of the client are not called");
        }
        if (text != null && !text.at("/format/type").stringValue("text").equals("text")) {
            throw HistoryBlock.unsupported("text.format", "must be text");
        }
        if (previous != null && conversation != null && !conversation.isNull()) {
            throw HistoryBlock.unsupported(
                    "conversation", "cannot be given together with previous_response_id");
        }
    }

    boolean isStreamed() {
        return Boolean.TRUE.equals(stream);
    }

    boolean isInBackground() {
        return Boolean.TRUE.equals(background);
    }

    /** The conversation that the client names. */
    Optional<String> chat() {
        if (conversation == null || conversation.isNull()) {
            return Optional.empty();
        }
        String id = conversation.stringValue(conversation.path("id").stringValue(""));
        return Optional.of(Fields.text("conversation", id, 256));
    }

    String scope() {
        return String.join(
                "\n", user == null ? "" : user, safetyIdentifier == null ? "" : safetyIdentifier);
    }

    /** What the request says to the agent besides the message; null for nothing. */
    @Nullable String instructions(OpenAiHistory history) {
        String others = history.instructions();
        if (instructions == null || others == null) {
            return instructions == null ? others : instructions;
        }
        return instructions + "\n\n" + others;
    }

    /** The messages of the input; empty when it only has approvals. */
    Optional<OpenAiHistory> history() {
        List<JsonNode> messages = new ArrayList<>();
        if (input.isString()) {
            messages.add(
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("role", "user")
                            .put("content", input.stringValue()));
        }
        boolean hasApprovals = false;
        for (JsonNode item : input) {
            String type = item.path("type").stringValue("message");
            if (type.equals("message")) {
                messages.add(item);
            } else if (type.equals("mcp_approval_response")) {
                hasApprovals = true;
            } else if (!KNOWN_OUTPUT.contains(type)) { // the chat has those
                throw HistoryBlock.unsupported("input", "has an item of the type " + type);
            }
        }
        return messages.isEmpty() && hasApprovals
                ? Optional.empty()
                : Optional.of(OpenAiHistory.of(messages));
    }

    /** What the client says to approval requests; a reason is the answer to a question. */
    List<AnswerRequest.Answer> answers() {
        List<AnswerRequest.Answer> answers = new ArrayList<>();
        for (JsonNode item : input) {
            if (item.path("type").stringValue("").equals("mcp_approval_response")) {
                boolean approved = item.path("approve").booleanValue(false);
                answers.add(
                        new AnswerRequest.Answer(
                                item.path("approval_request_id").stringValue(""),
                                approved ? "allow" : "deny",
                                item.path("reason").stringValue(null),
                                null));
            }
        }
        return answers;
    }
}
