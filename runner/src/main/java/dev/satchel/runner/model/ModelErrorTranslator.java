package dev.satchel.runner.model;

import static dev.satchel.runner.model.ModelException.Code.MODEL_AUTH;
import static dev.satchel.runner.model.ModelException.Code.MODEL_ERROR;
import static dev.satchel.runner.model.ModelException.Code.MODEL_NOT_CONFIGURED;
import static dev.satchel.runner.model.ModelException.Code.MODEL_RATE_LIMITED;
import static dev.satchel.runner.model.ModelException.Code.MODEL_TIMEOUT;

import dev.langchain4j.exception.HttpException;
import dev.satchel.protocol.Json;
import dev.satchel.runner.net.ForbiddenTargetException;
import dev.satchel.runner.net.PrivateHosts;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Translates the errors of a call to a model into messages for the user. */
final class ModelErrorTranslator {
    private static final int MAX_DETAIL = 400;

    private final @Nullable String key;

    ModelErrorTranslator(@Nullable String key) {
        this.key = key;
    }

    ModelException translate(Throwable thrown) {
        Throwable root = thrown;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            root = cause;
            if (cause instanceof HttpException refused) {
                return refused(refused);
            }
            if (cause instanceof HttpTimeoutException) {
                return new ModelException(MODEL_TIMEOUT, "The model did not answer in time.");
            }
            if (cause instanceof ForbiddenTargetException) {
                return new ModelException(
                        MODEL_NOT_CONFIGURED,
                        "The model's endpoint is not allowed: %s. The operator can list it in %s."
                                .formatted(cause.getMessage(), PrivateHosts.VARIABLE));
            }
            if (cause instanceof ConnectException
                    || cause instanceof UnknownHostException
                    || cause instanceof UnresolvedAddressException) {
                return new ModelException(MODEL_ERROR, "The model's endpoint cannot be reached.");
            }
        }
        return new ModelException(
                MODEL_ERROR, "The model's answer broke off: " + detail(root.getMessage()));
    }

    private ModelException refused(HttpException refused) {
        String detail = detail(refused.getMessage());
        return switch (refused.statusCode()) {
            // the message of the provider may contain part of the key
            case 401, 403 ->
                    new ModelException(MODEL_AUTH, "The model's provider refuses the key.");
            case 429 ->
                    new ModelException(
                            MODEL_RATE_LIMITED, "The model's provider limits our rate: " + detail);
            case 408, 504 ->
                    new ModelException(
                            MODEL_TIMEOUT, "The model did not answer in time: " + detail);
            default ->
                    new ModelException(
                            MODEL_ERROR,
                            "The model's provider answered %d: %s"
                                    .formatted(refused.statusCode(), detail));
        };
    }

    private String detail(@Nullable String message) {
        String text = messageOf(message == null ? "no detail" : message);
        String clean = key == null || key.isEmpty() ? text : text.replace(key, "[key]");
        return clean.length() <= MAX_DETAIL ? clean : clean.substring(0, MAX_DETAIL) + "...";
    }

    /** Every provider puts the message into {@code {"error": {"message": ...}}}. */
    private static String messageOf(String body) {
        try {
            JsonNode error = Json.MAPPER.readTree(body).path("error");
            JsonNode message = error.isObject() ? error.path("message") : error;
            return message.isString() ? message.asString() : body;
        } catch (JacksonException e) {
            return body;
        }
    }
}
