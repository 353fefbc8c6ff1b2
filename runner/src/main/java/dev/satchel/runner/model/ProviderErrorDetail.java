package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import dev.satchel.runner.model.stream.ProviderErrorException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What the body of an error says.
 *
 * @param message the words of the provider without keys; empty when there are none to show
 */
record ProviderErrorDetail(int status, String message, String code, @Nullable Duration retryDelay) {
    private static final int MAX_WORDS = 400;
    private static final Pattern MASKED_KEY = Pattern.compile("\\S*\\*{3,}\\S*");

    /** How Anthropic, OpenAI, Azure, Gemini, Bedrock, Ollama, vLLM and llama.cpp say it. */
    private static final Pattern OVERFLOW =
            Pattern.compile(
                    "prompt is too long|prompt too long|input is too long|context.?length|context limit"
                            + "|maximum context|context window|context size|exceed_context"
                            + "|too many (input )?tokens|input token count.*exceeds"
                            + "|exceeds? the (maximum|max) number of tokens"
                            + "|reduce the length of|request_too_large");

    private static final Pattern FILTER =
            Pattern.compile("content_filter|content_policy|responsibleai|prohibited_content");

    static ProviderErrorDetail of(ProviderErrorException thrown, @Nullable String key) {
        JsonNode body = parse(thrown.body());
        JsonNode root = body.isArray() ? body.path(0) : body; // Gemini wraps it
        JsonNode error = root.hasNonNull("error") ? root.path("error") : root;
        String words = error.isString() ? error.asString() : words(error);
        if (body.isMissingNode() && !thrown.body().stripLeading().startsWith("<")) {
            words = thrown.body();
        }
        String code =
                "%s %s %s"
                        .formatted(
                                error.path("code").asString(""),
                                error.path("type").asString(""),
                                error.at("/innererror/code").asString(""));
        return new ProviderErrorDetail(
                thrown.status(), clean(words, key), code.toLowerCase(Locale.ROOT), delay(error));
    }

    /** The end of a sentence: a colon and the words of the provider, if there are any. */
    String words() {
        if (message.isEmpty()) {
            return ".";
        }
        return ": " + message + (message.matches("(?s).*[.!?]") ? "" : ".");
    }

    boolean isOverflow() {
        boolean refused = status == 400 || status == 413 || status == 422 || status == 500;
        String said = code + " " + message.toLowerCase(Locale.ROOT);
        return refused && (status == 413 || OVERFLOW.matcher(said).find());
    }

    boolean isFiltered() {
        return status == 400 && FILTER.matcher(code).find();
    }

    boolean isOutOfCredit() {
        return code.contains("insufficient_quota");
    }

    private static JsonNode parse(String body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException e) {
            return MissingNode.getInstance();
        }
    }

    private static String words(JsonNode error) {
        for (String field : new String[] {"message", "Message", "detail", "msg"}) {
            if (error.path(field).isString()) {
                return error.path(field).asString();
            }
        }
        return error.at("/detail/0/msg").asString("");
    }

    private static String clean(String words, @Nullable String key) {
        String known = key == null || key.isEmpty() ? words : words.replace(key, "[key]");
        String text = MASKED_KEY.matcher(known).replaceAll("[key]").strip();
        return text.length() <= MAX_WORDS ? text : text.substring(0, MAX_WORDS) + "...";
    }

    /** Gemini has no header for it. */
    private static @Nullable Duration delay(JsonNode error) {
        for (JsonNode detail : error.path("details")) {
            String delay = detail.path("retryDelay").asString("");
            if (delay.matches("[0-9]{1,9}(\\.[0-9]+)?s")) {
                return RetryPolicy.seconds(
                        Double.parseDouble(delay.substring(0, delay.length() - 1)));
            }
        }
        return null;
    }
}
