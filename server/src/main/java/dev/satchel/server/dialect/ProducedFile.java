package dev.satchel.server.dialect;

import tools.jackson.databind.JsonNode;

/** A file of an answer, and where it lies. */
public record ProducedFile(String id, String name, String mimeType, long size, String url) {
    static ProducedFile of(String chatId, JsonNode file) {
        String id = file.path("id").stringValue("");
        return new ProducedFile(
                id,
                file.path("name").stringValue(""),
                file.path("mimeType").stringValue("application/octet-stream"),
                file.path("size").longValue(0),
                url(chatId, id));
    }

    public static String url(String chatId, String fileId) {
        return "/api/assistant/chats/" + chatId + "/files/" + fileId;
    }
}
