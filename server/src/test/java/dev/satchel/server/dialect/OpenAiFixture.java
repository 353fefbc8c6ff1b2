package dev.satchel.server.dialect;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The real {@code openai} package. */
abstract class OpenAiFixture extends ClientFixture {
    @Override
    String script() {
        return "openai.mjs";
    }

    /** The text of the deltas of a chat completion. */
    static String deltas(List<JsonNode> chunks, String member) {
        return chunks.stream()
                .map(chunk -> chunk.at("/choices/0/delta/" + member).stringValue(""))
                .collect(Collectors.joining());
    }

    static Map<String, Object> said(String role, String text) {
        return Map.of("role", role, "content", text);
    }
}
