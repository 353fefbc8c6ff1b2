package dev.satchel.server.dialect;

import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Text;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A thread as AG-UI's messages, with the ids that its live stream gave them. */
final class AgUiHistory {
    private AgUiHistory() {}

    static Object snapshot(ForeignThreads.ThreadTail thread) {
        List<Object> messages = new ArrayList<>();
        for (PersistedMessage message : thread.messages()) {
            if (message.role() == Role.USER) {
                messages.add(
                        Members.of("id", message.id(), "role", "user", "content", message.text()));
            } else {
                answer(message, messages);
            }
        }
        return AgUiTeller.event("MESSAGES_SNAPSHOT", "messages", messages);
    }

    /** One message with all tool calls, their results, then what was said. */
    private static void answer(PersistedMessage message, List<Object> messages) {
        String run = message.runId() == null ? message.id() : message.runId();
        List<Step> steps =
                message.content().stream()
                        .filter(Step.class::isInstance)
                        .map(Step.class::cast)
                        .toList();
        if (!steps.isEmpty()) {
            List<Map<String, Object>> calls = steps.stream().map(step -> call(run, step)).toList();
            messages.add(Members.of("id", run, "role", "assistant", "toolCalls", calls));
        }
        steps.forEach(step -> messages.add(result(run, step)));
        int part = 0;
        for (ContentBlock block : message.content()) {
            switch (block) {
                case Step _, End _ -> {}
                case Text text -> {
                    part++;
                    messages.add(
                            Members.of(
                                    "id",
                                    AgUiTeller.textId(run, part),
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
        return Members.of(
                "id",
                AgUiTeller.callId(run, step.id()),
                "type",
                "function",
                "function",
                Members.of("name", step.name(), "arguments", AgUiTeller.json(args)));
    }

    private static Map<String, Object> result(String run, Step step) {
        String error = step.error();
        String content =
                switch (step.status()) {
                    case SUCCEEDED ->
                            step.result() == null ? "null" : AgUiTeller.json(step.result());
                    case FAILED ->
                            AgUiTeller.json(Map.of("error", error == null ? "failed" : error));
                    case RUNNING, INTERRUPTED ->
                            AgUiTeller.json(Map.of("error", RunStory.CUT_SHORT));
                };
        return Members.of(
                "id",
                AgUiTeller.resultId(run, step.id()),
                "role",
                "tool",
                "toolCallId",
                AgUiTeller.callId(run, step.id()),
                "content",
                content);
    }
}
