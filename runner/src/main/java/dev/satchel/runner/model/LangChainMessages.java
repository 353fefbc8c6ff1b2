package dev.satchel.runner.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;

/** Converts a history for LangChain4j. */
final class LangChainMessages {
    private LangChainMessages() {}

    /** For providers that accept images in tool results. */
    static List<ChatMessage> messages(ChatHistory history) {
        List<ChatMessage> messages = new ArrayList<>();
        messages.add(SystemMessage.from(history.systemPrompt()));
        for (ChatHistory.Message message : history.messages()) {
            messages.add(
                    switch (message) {
                        case ChatHistory.Question q ->
                                UserMessage.from(contents(q.text(), q.images()));
                        case ChatHistory.Reply r -> reply(r.reply());
                        case ChatHistory.Outcome o -> outcome(o);
                    });
        }
        return messages;
    }

    /**
     * For providers that accept only text in tool results. The images follow in a separate message
     * after the last result of the round, because no message may separate a call from its result.
     */
    static List<ChatMessage> messagesWithTextResults(ChatHistory history) {
        List<ChatMessage> plain = new ArrayList<>();
        List<Content> images = new ArrayList<>();
        for (ChatMessage message : messages(history)) {
            if (message instanceof ToolExecutionResultMessage result) {
                plain.add(textOnly(result));
                images.addAll(imagesOf(result));
                continue;
            }
            flush(images, plain);
            plain.add(message);
        }
        flush(images, plain);
        return plain;
    }

    private static void flush(List<Content> images, List<ChatMessage> messages) {
        if (!images.isEmpty()) {
            List<Content> contents = new ArrayList<>();
            contents.add(TextContent.from("The images that the tools above returned:"));
            contents.addAll(images);
            messages.add(UserMessage.from(contents));
            images.clear();
        }
    }

    private static AiMessage reply(ModelReply reply) {
        List<ToolExecutionRequest> requests =
                reply.calls().stream().map(LangChainMessages::request).toList();
        AiMessage.Builder message = AiMessage.builder().toolExecutionRequests(requests);
        return (reply.text().isEmpty() ? message : message.text(reply.text())).build();
    }

    private static ToolExecutionResultMessage outcome(ChatHistory.Outcome outcome) {
        ToolResult result = outcome.result();
        return ToolExecutionResultMessage.builder()
                .id(outcome.call().id())
                .toolName(outcome.call().tool())
                .contents(contents(result.text(), result.images()))
                .isError(!result.succeeded())
                .build();
    }

    private static ToolExecutionResultMessage textOnly(ToolExecutionResultMessage result) {
        List<Content> texts =
                result.contents().stream().filter(TextContent.class::isInstance).toList();
        return result.toBuilder().contents(texts).build();
    }

    private static List<Content> imagesOf(ToolExecutionResultMessage result) {
        return result.contents().stream().filter(ImageContent.class::isInstance).toList();
    }

    private static ToolExecutionRequest request(ModelReply.Call call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.tool())
                .arguments(isObject(call.arguments()) ? call.arguments() : "{}")
                .build();
    }

    /** LangChain4j copies arguments into the request unchecked: invalid JSON would break it. */
    private static boolean isObject(String json) {
        try {
            return Json.MAPPER.readTree(json).isObject();
        } catch (JacksonException e) {
            return false;
        }
    }

    private static List<Content> contents(String text, List<ToolResult.Image> images) {
        List<Content> contents = new ArrayList<>();
        contents.add(TextContent.from(text.isBlank() ? "(nothing)" : text));
        images.forEach(image -> contents.add(ImageContent.from(image.base64(), image.mimeType())));
        return contents;
    }
}
