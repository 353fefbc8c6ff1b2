package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import dev.satchel.runner.model.stream.BrokenStreamException;
import dev.satchel.runner.model.stream.ProviderErrorException;
import dev.satchel.runner.model.stream.ReplySize;
import dev.satchel.runner.model.stream.ThinkTagParser;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a reply in the format of OpenAI, with the habits of other servers. */
final class OpenAiReplyReader implements ModelApi.ReplyReader {
    private static final Set<String> FILTERED =
            Set.of("content_filter", "safety", "prohibited_content", "blocklist", "recitation");

    private final ModelSettings settings;
    private final ReplyListener listener;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final StringBuilder refusal = new StringBuilder();
    private final OpenAiCallAssembler calls = new OpenAiCallAssembler();
    private final ThinkTagParser tags = new ThinkTagParser(this::addText, this::think);
    private JsonNode usage = MissingNode.getInstance();
    private final ReplySize size = new ReplySize();
    private String thinkingField = "";
    private String finishReason = "";
    private String filtered = "";
    private boolean ended;

    OpenAiReplyReader(ModelSettings settings, ReplyListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    @Override
    public void event(String data) throws IOException {
        if (data.strip().equals("[DONE]")) {
            ended = true;
            return;
        }
        if (data.isBlank()) {
            return;
        }
        try {
            read(Json.MAPPER.readTree(data));
        } catch (JacksonException e) {
            throw new BrokenStreamException("The model's answer has an event that is not JSON.");
        }
    }

    @Override
    public void whole(JsonNode body) throws IOException {
        if (!body.path("choices").isArray()) {
            throw error(body.has("error") ? body.path("error") : body);
        }
        read(body);
        ended = true;
    }

    /** A chunk has a {@code delta}; a whole reply, or the chunk of some servers, a message. */
    private void read(JsonNode chunk) throws IOException {
        if (chunk.hasNonNull("error")) {
            throw error(chunk.path("error"));
        }
        if (chunk.path("usage").isObject()) {
            usage = chunk.path("usage");
        }
        JsonNode choice = chunk.path("choices").path(0);
        if (choice.hasNonNull("error")) {
            throw error(choice.path("error"));
        }
        JsonNode message = choice.path(choice.path("delta").isObject() ? "delta" : "message");
        reason(message, "reasoning_content");
        if (thinkingField.isEmpty() || thinkingField.equals("reasoning")) {
            reason(message, "reasoning");
        }
        content(
                message.path("content"),
                message.at("/extra_content/google/thought").asBoolean(false));
        refusal.append(size.add(message.path("refusal").asString("")));
        for (JsonNode call : message.path("tool_calls")) {
            String _ = size.add(call.toString());
            calls.add(call);
        }
        if (choice.path("finish_reason").isString()) {
            finishReason = choice.path("finish_reason").asString();
        }
        filter(choice.path("content_filter_results"));
    }

    @Override
    public ModelReply reply() throws IOException, ModelException {
        if (!ended && finishReason.isEmpty()) {
            throw new BrokenStreamException("The model's answer broke off.");
        }
        tags.end();
        List<ModelReply.Call> complete = calls.calls();
        refuse(complete.isEmpty());
        boolean cut = finishReason.equals("length") || finishReason.equalsIgnoreCase("max_tokens");
        return new ModelReply(text.toString(), complete, cut, usage(), original(complete));
    }

    private void reason(JsonNode message, String field) throws IOException {
        String piece = message.path(field).asString("");
        if (!piece.isEmpty()) {
            thinkingField = field;
            think(piece);
        }
    }

    /** A string, or an array of parts. */
    private void content(JsonNode content, boolean isThought) throws IOException {
        String whole = content.isString() ? content.asString() : "";
        if (isThought && !tags.isThinking() && !whole.startsWith("<")) {
            think(whole);
        } else {
            tags.add(whole);
        }
        if (!content.isArray()) {
            return;
        }
        for (JsonNode part : content) {
            if (part.isString()) {
                tags.add(part.asString());
            }
            tags.add(part.path("text").asString(""));
            refusal.append(size.add(part.path("refusal").asString("")));
            JsonNode thought = part.path("thinking");
            think(thought.asString(""));
            for (JsonNode inner : thought) {
                think(inner.path("text").asString(""));
            }
        }
    }

    private void addText(String piece) throws IOException {
        text.append(size.add(piece));
        listener.text(piece);
    }

    private void think(String piece) throws IOException {
        if (!piece.isEmpty()) {
            thinking.append(size.add(piece));
            listener.thinking(piece);
        }
    }

    /** Azure says which category its filter found. */
    private void filter(JsonNode categories) {
        categories
                .properties()
                .forEach(
                        category -> {
                            if (category.getValue().path("filtered").asBoolean(false)) {
                                filtered = category.getKey();
                            }
                        });
    }

    private void refuse(boolean withoutCalls) throws ModelException {
        if (!refusal.isEmpty()) {
            throw new ModelException(
                    ModelException.Code.MODEL_REFUSED, "The model refuses: " + refusal);
        }
        if (FILTERED.contains(finishReason.toLowerCase(Locale.ROOT)) && withoutCalls) {
            String words = filtered.isEmpty() ? text.toString().strip() : "it found " + filtered;
            throw new ModelException(
                    ModelException.Code.MODEL_REFUSED,
                    "A content filter of %s stopped the answer (%s)%s"
                            .formatted(
                                    settings.provider().title(),
                                    finishReason,
                                    words.isEmpty() ? "." : ": " + words));
        }
    }

    /** The message as it is sent back: models that think want to see why they called a tool. */
    private ModelReply.@Nullable Original original(List<ModelReply.Call> complete) {
        if (complete.isEmpty()) {
            return null;
        }
        ObjectNode message = OpenAiApi.message(text.toString(), complete);
        calls.addExtras((ArrayNode) message.path("tool_calls"));
        if (!thinkingField.isEmpty()) {
            message.put(thinkingField, thinking.toString());
        }
        return new ModelReply.Original(settings.qualifiedName(), message);
    }

    private @Nullable TokenUsage usage() {
        if (!usage.isObject()) {
            return null;
        }
        long request = usage.path("prompt_tokens").asLong(0);
        long read =
                usage.at("/prompt_tokens_details/cached_tokens")
                        .asLong(usage.path("prompt_cache_hit_tokens").asLong(0));
        long written = usage.at("/prompt_tokens_details/cache_write_tokens").asLong(0);
        return new TokenUsage(
                settings.displayName(),
                settings.provider().wireName(),
                Math.max(0, request - read - written),
                usage.path("completion_tokens").asLong(0),
                read,
                written);
    }

    /** Some servers give a status as the code of an error in their stream. */
    private static ProviderErrorException error(JsonNode error) {
        int code = error.path("code").asInt(error.path("status").asInt(0));
        String type = error.path("type").asString("") + error.path("code").asString("");
        int status = code >= 400 && code < 600 ? code : status(type.toLowerCase(Locale.ROOT));
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("error", error);
        return new ProviderErrorException(status, body.toString(), null);
    }

    private static int status(String type) {
        if (type.contains("rate_limit") || type.contains("quota")) {
            return 429;
        }
        if (type.contains("overloaded") || type.contains("unavailable")) {
            return 503;
        }
        boolean ours =
                type.contains("invalid")
                        || type.contains("context_length")
                        || type.contains("content");
        return ours ? 400 : 500;
    }
}
