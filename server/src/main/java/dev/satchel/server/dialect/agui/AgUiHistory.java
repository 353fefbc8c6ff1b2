package dev.satchel.server.dialect.agui;

import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Text;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.RunEventTranslator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Encodes a thread as AG-UI messages, with the ids that its live stream used. */
final class AgUiHistory {
    private AgUiHistory() {}

    static Object snapshot(ClientThreads.ThreadTail thread) {
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
        return AgUiEncoder.event("MESSAGES_SNAPSHOT", "messages", messages);
    }

    /** One message with all tool calls, then their results, then the text. */
    private static void answer(PersistedMessage message, List<Object> messages) {
        String run = message.runId() == null ? message.id() : message.runId();
        List<Step> steps =
                message.content().stream()
                        .filter(Step.class::isInstance)
                        .map(Step.class::cast)
                        .toList();
        if (!steps.isEmpty()) {
            List<Map<String, Object>> calls = steps.stream().map(step -> call(run, step)).toList();
            messages.add(JsonObjects.of("id", run, "role", "assistant", "toolCalls", calls));
        }
        steps.forEach(step -> messages.add(result(run, step)));
        int part = 0;
        for (ContentBlock block : message.content()) {
            switch (block) {
                case Step _, End _ -> {}
                case Text text -> {
                    part++;
                    messages.add(
                            JsonObjects.of(
                                    "id",
                                    AgUiEncoder.textId(run, part),
                                    "role",
                                    "assistant",
                                    "content",
                                    text.text()));
                }
            }
        }
    }

    private static Map<String, Object> call(String run, Step step) {
        Object args = step.args() == null ? Map.of() : step.args();
        return JsonObjects.of(
                "id",
                AgUiEncoder.callId(run, step.id()),
                "type",
                "function",
                "function",
                JsonObjects.of("name", step.name(), "arguments", AgUiEncoder.json(args)));
    }

    private static Map<String, Object> result(String run, Step step) {
        String error = step.error();
        String content =
                switch (step.status()) {
                    case SUCCEEDED ->
                            step.result() == null ? "null" : AgUiEncoder.json(step.result());
                    case FAILED ->
                            AgUiEncoder.json(Map.of("error", error == null ? "failed" : error));
                    case RUNNING, INTERRUPTED ->
                            AgUiEncoder.json(Map.of("error", RunEventTranslator.CUT_SHORT));
                };
        return JsonObjects.of(
                "id",
                AgUiEncoder.resultId(run, step.id()),
                "role",
                "tool",
                "toolCallId",
                AgUiEncoder.callId(run, step.id()),
                "content",
                content);
    }
}
