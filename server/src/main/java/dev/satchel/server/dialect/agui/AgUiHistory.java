package dev.satchel.server.dialect.agui;

import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ContentBlock.Steer;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Stopped;
import dev.satchel.server.conversation.ContentBlock.Text;
import dev.satchel.server.conversation.ContentBlock.Thinking;
import dev.satchel.server.conversation.ContentBlock.Usage;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.RunEventTranslator;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.runlog.RunEvent.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Encodes a thread as AG-UI messages, with the ids and in the order of its live stream. */
final class AgUiHistory {
    private AgUiHistory() {}

    static List<Object> messages(ClientThreads.ThreadTail thread) {
        List<Object> messages = new ArrayList<>();
        for (PersistedMessage message : thread.messages()) {
            if (message.role() == Role.USER) {
                messages.add(
                        JsonObjects.of(
                                "id", message.id(), "role", "user", "content", message.text()));
            } else {
                answer(message, messages);
            }
        }
        return messages;
    }

    /** The messages, then what no message of the protocol has a place for. */
    static List<Object> events(ClientThreads.ThreadTail thread, List<Object> messages) {
        List<Object> events = new ArrayList<>();
        events.add(AgUiEncoder.event("MESSAGES_SNAPSHOT", "messages", messages));
        for (PersistedMessage message : thread.messages()) {
            message.content().stream()
                    .filter(Step.class::isInstance)
                    .map(Step.class::cast)
                    .filter(step -> Boolean.TRUE.equals(step.truncated()))
                    .forEach(step -> events.add(truncated(message, step)));
            message.notHandedOver()
                    .forEach(
                            file ->
                                    events.add(
                                            AgUiEncoder.custom(
                                                    "notHandedOver",
                                                    FileNotHandedOver.of(thread.chatId(), file))));
        }
        return events;
    }

    private static Object truncated(PersistedMessage message, Step step) {
        return AgUiEncoder.truncated(
                AgUiEncoder.callId(run(message), step.id()), new Cut(true, step.originalSize()));
    }

    private static String run(PersistedMessage message) {
        return message.runId() == null ? message.id() : message.runId();
    }

    /** All tool calls are in one message, where the first of them was. */
    private static void answer(PersistedMessage message, List<Object> messages) {
        String run = run(message);
        List<Object> calls = new ArrayList<>();
        int texts = 0;
        int thoughts = 0;
        for (ContentBlock block : message.content()) {
            switch (block) {
                case Stopped _, Usage _, End _ -> {} // parts of the live stream only
                case Step step -> {
                    if (calls.isEmpty()) {
                        messages.add(
                                JsonObjects.of("id", run, "role", "assistant", "toolCalls", calls));
                    }
                    Object args = step.args() == null ? Map.of() : step.args();
                    String call = AgUiEncoder.callId(run, step.id());
                    calls.add(call(call, step.name(), AgUiEncoder.json(args)));
                    messages.add(result(AgUiEncoder.resultId(run, step.id()), call, content(step)));
                }
                case Steer steer -> messages.add(text(steer.messageId(), "user", steer.text()));
                case Text text -> {
                    texts++;
                    messages.add(text(AgUiEncoder.textId(run, texts), "assistant", text.text()));
                }
                case Thinking thinking -> {
                    thoughts++;
                    messages.add(
                            text(
                                    AgUiEncoder.thinkingId(run, thoughts),
                                    AgUiEncoder.REASONING,
                                    thinking.text()));
                }
            }
        }
    }

    private static Object text(String id, String role, String content) {
        return JsonObjects.of("id", id, "role", role, "content", content);
    }

    static Map<String, Object> call(String id, String name, String arguments) {
        return JsonObjects.of(
                "id",
                id,
                "type",
                "function",
                "function",
                JsonObjects.of("name", name, "arguments", arguments));
    }

    static Map<String, Object> result(String id, String call, String content) {
        return JsonObjects.of("id", id, "role", "tool", "toolCallId", call, "content", content);
    }

    private static String content(Step step) {
        String error = step.error();
        return switch (step.status()) {
            case SUCCEEDED -> step.result() == null ? "null" : AgUiEncoder.json(step.result());
            case FAILED -> AgUiEncoder.json(Map.of("error", error == null ? "failed" : error));
            case WAITING, RUNNING, INTERRUPTED ->
                    AgUiEncoder.json(Map.of("error", RunEventTranslator.CUT_SHORT));
        };
    }
}
