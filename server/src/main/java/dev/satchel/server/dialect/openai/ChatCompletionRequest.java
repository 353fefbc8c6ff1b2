package dev.satchel.server.dialect.openai;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of {@code POST /v1/chat/completions}. What would change the form of the answer is
 * refused; hints for a model, such as {@code temperature}, are ignored: the agent has its own.
 */
record ChatCompletionRequest(
        String model,
        List<JsonNode> messages,
        @Nullable Boolean stream,
        @JsonProperty("stream_options") @Nullable JsonNode streamOptions,
        @Nullable Integer n,
        @Nullable List<JsonNode> tools,
        @Nullable List<JsonNode> functions,
        @Nullable Boolean logprobs,
        @Nullable List<String> modalities,
        @JsonProperty("response_format") @Nullable JsonNode responseFormat,
        @Nullable String user,
        @JsonProperty("safety_identifier") @Nullable String safetyIdentifier,
        @Nullable Map<String, String> metadata) {
    /** Names the conversation, in {@code metadata} and, with a prefix, as a header. */
    private static final String CHAT = "satchel_chat";

    private static final String CHAT_HEADER = "X-Satchel-Chat";

    /** What Open WebUI sends of its own chat and user, when it is set to. */
    private static final List<String> SCOPE_HEADERS =
            List.of("X-OpenWebUI-Chat-Id", "X-OpenWebUI-User-Id");

    ChatCompletionRequest {
        Fields.text("model", model, 256);
        messages = messages == null ? List.of() : List.copyOf(messages);
        metadata = metadata == null ? null : Map.copyOf(metadata);
        if (n != null && n != 1) {
            throw HistoryBlock.unsupported("n", "must be 1");
        }
        if ((tools != null && !tools.isEmpty()) || (functions != null && !functions.isEmpty())) {
            throw HistoryBlock.unsupported(
                    "tools", "are those of the agent; tools of the client are not called");
        }
        if (Boolean.TRUE.equals(logprobs)) {
            throw HistoryBlock.unsupported("logprobs", "are not available");
        }
        if (modalities != null && !modalities.equals(List.of("text"))) {
            throw HistoryBlock.unsupported("modalities", "must be text");
        }
        if (responseFormat != null
                && !responseFormat.path("type").stringValue("text").equals("text")) {
            throw HistoryBlock.unsupported("response_format", "must be text");
        }
    }

    boolean isStreamed() {
        return Boolean.TRUE.equals(stream);
    }

    boolean wantsUsage() {
        return streamOptions != null && streamOptions.path("include_usage").booleanValue(false);
    }

    /** The conversation that the client names. */
    Optional<String> chat(Exchange exchange) {
        Optional<String> named =
                metadata == null ? Optional.empty() : Optional.ofNullable(metadata.get(CHAT));
        Optional<String> chat = named.or(() -> exchange.header(CHAT_HEADER));
        return chat.map(name -> Fields.text(CHAT, name, 256));
    }

    /** Of which client this is, as far as it says. */
    String scope(Exchange exchange) {
        return Stream.concat(
                        Stream.of(Optional.ofNullable(user), Optional.ofNullable(safetyIdentifier))
                                .map(value -> value.orElse("")),
                        SCOPE_HEADERS.stream().map(name -> exchange.header(name).orElse("")))
                .collect(Collectors.joining("\n"));
    }
}
