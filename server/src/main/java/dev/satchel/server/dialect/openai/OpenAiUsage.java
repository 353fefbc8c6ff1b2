package dev.satchel.server.dialect.openai;

import dev.satchel.server.dialect.JsonObjects;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tokens of a run; input tokens include those of the cache, as OpenAI counts them. */
record OpenAiUsage(long input, long cached, long output) {
    static OpenAiUsage of(@Nullable JsonNode usage) {
        if (usage == null) {
            return new OpenAiUsage(0, 0, 0);
        }
        long cached = count(usage, "cacheReadTokens");
        long input = count(usage, "inputTokens") + cached + count(usage, "cacheWriteTokens");
        return new OpenAiUsage(input, cached, count(usage, "outputTokens"));
    }

    Map<String, Object> ofCompletion() {
        return JsonObjects.of(
                "prompt_tokens",
                input,
                "completion_tokens",
                output,
                "total_tokens",
                input + output,
                "prompt_tokens_details",
                JsonObjects.of("cached_tokens", cached));
    }

    Map<String, Object> ofResponse() {
        return JsonObjects.of(
                "input_tokens",
                input,
                "input_tokens_details",
                JsonObjects.of("cached_tokens", cached),
                "output_tokens",
                output,
                "output_tokens_details",
                JsonObjects.of("reasoning_tokens", 0),
                "total_tokens",
                input + output);
    }

    private static long count(JsonNode usage, String name) {
        return usage.path(name).longValue(0);
    }
}
