package dev.satchel.server.dialect;

import tools.jackson.databind.JsonNode;

/**
 * What a client of another protocol receives of a run, in an order that such protocols require:
 * text and steps start and end exactly once, and nothing follows the end of the run.
 */
public sealed interface StreamEvent {
    record RunStarted(String chatId, String runId) implements StreamEvent {}

    /** A diagnostic message, as it stands in the log; sent only on request. */
    record Logged(JsonNode line) implements StreamEvent {}

    /** Parts of text are numbered from 1. */
    record TextStarted(int part) implements StreamEvent {}

    record TextAppended(int part, String delta) implements StreamEvent {}

    record TextEnded(int part) implements StreamEvent {}

    record StepStarted(String id, String name, JsonNode args) implements StreamEvent {}

    record StepSucceeded(String id, JsonNode result) implements StreamEvent {}

    record StepFailed(String id, String error) implements StreamEvent {}

    /** A file that the run handed in, with its download address. */
    record FileProduced(String id, String name, String mimeType, long size, String url)
            implements StreamEvent {
        public static String url(String chatId, String fileId) {
            return "/api/assistant/chats/" + chatId + "/files/" + fileId;
        }
    }

    record RunSucceeded(String messageId) implements StreamEvent {}

    record RunCancelled(String reason) implements StreamEvent {}

    record RunFailed(String code, String message) implements StreamEvent {}
}
