package dev.satchel.server.dialect.agui;

import dev.satchel.http.Fields;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.dialect.ClientMessage;
import dev.satchel.server.dialect.ClientMessageBuilder;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.OnDisconnect;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

/** {@code RunAgentInput}. Only the last message is read: the server has the thread. */
record AgUiInput(
        String threadId,
        String runId,
        List<JsonNode> messages,
        @Nullable JsonNode forwardedProps,
        @Nullable List<Resume> resume) {
    private static final int SMALL_CHARACTERS = 1024 * 1024;

    AgUiInput {
        Fields.text("threadId", threadId, 256);
        Fields.text("runId", runId, 256);
        resume = resume == null ? null : List.copyOf(resume);
        messages = messages == null ? List.of() : List.copyOf(messages);
    }

    /** The answer to an interrupt; one that is cancelled is a refusal. */
    record Resume(String interruptId, @Nullable String status, @Nullable JsonNode payload) {
        private static final List<String> TEXTS = List.of("text", "reason", "answer");

        AnswerRequest.Answer answer() {
            boolean denied =
                    "cancelled".equals(status) || !payload().path("approved").booleanValue(true);
            String remember = payload().path("remember").stringValue(null);
            return new AnswerRequest.Answer(
                    interruptId, denied ? "deny" : "allow", text(), denied ? null : remember);
        }

        @Override
        public JsonNode payload() {
            return payload == null ? JsonNodeFactory.instance.objectNode() : payload;
        }

        private @Nullable String text() {
            if (payload().isString()) {
                return payload().stringValue();
            }
            return TEXTS.stream()
                    .map(name -> payload().path(name).stringValue(null))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
    }

    /** The answers to interrupts; empty in a request with a new message. */
    List<AnswerRequest.Answer> answers() {
        return resume == null ? List.of() : resume.stream().map(Resume::answer).toList();
    }

    /**
     * AG-UI clients stop a run by closing the connection, so closing cancels, unless the client
     * asks for something else or has an idempotency key with which it can reconnect.
     */
    OnDisconnect onDisconnect(boolean canReconnect) {
        JsonNode asked = forwardedProps == null ? null : forwardedProps.get("onDisconnect");
        return OnDisconnect.parse(
                asked == null ? null : asked.stringValue(""), OnDisconnect.usual(canReconnect));
    }

    /** The agent and the model are among the properties that clients pass on. */
    AgentSelection selection() {
        JsonNode given = forwardedProps == null ? NullNode.instance : forwardedProps;
        return new AgentSelection(
                given.path("agentId").stringValue(null), given.path("model").stringValue(null));
    }

    /** The messages of the client; empty if they are too large to be kept during the run. */
    Optional<List<JsonNode>> smallMessages() {
        return messages.toString().length() <= SMALL_CHARACTERS
                ? Optional.of(messages)
                : Optional.empty();
    }

    ClientMessage last() {
        if (messages.isEmpty() || !messages.getLast().path("role").stringValue("").equals("user")) {
            throw Fields.invalid("messages", "must end with a message of the user");
        }
        JsonNode last = messages.getLast();
        JsonNode content = last.path("content");
        ClientMessageBuilder message = new ClientMessageBuilder();
        if (content.isString()) {
            message.text(content.stringValue());
        } else {
            content.forEach(part -> add(part, message));
        }
        return message.build(last.path("id").stringValue(null));
    }

    private static void add(JsonNode part, ClientMessageBuilder message) {
        if (part.path("type").stringValue("").equals("text")) {
            message.text(part.path("text").stringValue(""));
            return;
        }
        if (part.path("type").stringValue("").equals("binary")) {
            addBinary(part, message);
            return;
        }
        JsonNode source = part.path("source");
        String value = source.path("value").stringValue("");
        String type = source.path("mimeType").stringValue(null);
        String name = part.at("/metadata/filename").stringValue(null);
        if (source.path("type").stringValue("").equals("data")) {
            message.file(value, name, type);
        } else {
            message.fileAt(value, name, type);
        }
    }

    /** What clients before version 1.0 send: the content, an address or the id of a file here. */
    private static void addBinary(JsonNode part, ClientMessageBuilder message) {
        String name = part.path("filename").stringValue(null);
        String type = part.path("mimeType").stringValue(null);
        String data = part.path("data").stringValue(null);
        String url = part.path("url").stringValue(null);
        if (data != null) {
            message.file(data, name, type);
        } else if (url != null) {
            message.fileAt(url, name, type);
        } else {
            message.attached(part.path("id").stringValue(""));
        }
    }
}
