package dev.satchel.runner.model;

import static dev.satchel.runner.model.ModelException.Code.CONTEXT_OVERFLOW;
import static dev.satchel.runner.model.ModelException.Code.MODEL_AUTH;
import static dev.satchel.runner.model.ModelException.Code.MODEL_ERROR;
import static dev.satchel.runner.model.ModelException.Code.MODEL_NOT_CONFIGURED;
import static dev.satchel.runner.model.ModelException.Code.MODEL_RATE_LIMITED;
import static dev.satchel.runner.model.ModelException.Code.MODEL_REFUSED;
import static dev.satchel.runner.model.ModelException.Code.MODEL_TIMEOUT;

import dev.satchel.http.outbound.ForbiddenTargetException;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.runner.model.stream.BrokenStreamException;
import dev.satchel.runner.model.stream.ProviderErrorException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates the errors of a call to a model into messages for the user. */
final class ModelErrorTranslator {
    private static final Set<Integer> REPEATABLE = Set.of(408, 429, 500, 502, 503, 504, 529);

    private final ModelSettings settings;
    private final String provider;

    ModelErrorTranslator(ModelSettings settings) {
        this.settings = settings;
        this.provider = settings.provider().title();
    }

    /**
     * Why a call failed.
     *
     * @param isRepeatable whether the same call may succeed a moment later
     * @param isUnknownModel whether the list of the provider's models would help
     * @param retryAfter how long the provider asks to wait, if it does
     */
    record Failure(
            ModelException error,
            boolean isRepeatable,
            boolean isUnknownModel,
            @Nullable Duration retryAfter) {}

    Failure translate(IOException thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProviderErrorException refused) {
                return refused(refused, ProviderErrorDetail.of(refused, settings.apiKey()));
            }
            if (cause instanceof BrokenStreamException broken) {
                return repeatable(new ModelException(MODEL_ERROR, broken.message()));
            }
            if (cause instanceof HttpTimeoutException) {
                return last(MODEL_TIMEOUT, "The model did not answer in time.");
            }
            if (cause instanceof ForbiddenTargetException) {
                return last(
                        MODEL_NOT_CONFIGURED,
                        "The model's endpoint is not allowed: %s. The operator can list it in %s."
                                .formatted(cause.getMessage(), ReachableHosts.VARIABLE));
            }
            if (cause instanceof UnknownHostException
                    || cause instanceof UnresolvedAddressException) {
                return last(
                        MODEL_ERROR,
                        "The host of the model's endpoint is unknown. Check %s."
                                .formatted(settings.provider().urlVariable()));
            }
            if (cause instanceof ConnectException) {
                return repeatable(
                        new ModelException(MODEL_ERROR, "The model's endpoint cannot be reached."));
            }
        }
        return repeatable(
                new ModelException(MODEL_ERROR, "The connection to the model's endpoint broke."));
    }

    private Failure refused(ProviderErrorException refused, ProviderErrorDetail detail) {
        int status = refused.status();
        if (detail.isOverflow()) {
            return last(
                    CONTEXT_OVERFLOW,
                    "The conversation is longer than the model takes" + detail.words());
        }
        if (detail.isFiltered()) {
            return last(MODEL_REFUSED, provider + " refuses the request" + detail.words());
        }
        Duration wait = refused.retryAfter() != null ? refused.retryAfter() : detail.retryDelay();
        boolean isRepeatable =
                (REPEATABLE.contains(status) && !detail.isOutOfCredit())
                        || (status == 409 && settings.provider() == ModelProvider.ANTHROPIC);
        return new Failure(error(status, detail, wait), isRepeatable, status == 404, wait);
    }

    private ModelException error(int status, ProviderErrorDetail detail, @Nullable Duration wait) {
        String asked = wait == null ? "" : " It asks to wait " + wait.toSeconds() + " s.";
        return switch (status) {
            case 401 -> new ModelException(MODEL_AUTH, key());
            case 403 -> new ModelException(MODEL_AUTH, key() + " It says" + detail.words());
            case 404 ->
                    new ModelException(
                            MODEL_ERROR,
                            "%s does not have the model %s%s"
                                    .formatted(provider, settings.name(), detail.words()));
            case 429 ->
                    new ModelException(
                            MODEL_RATE_LIMITED,
                            (detail.isOutOfCredit()
                                            ? provider + " has no credit left for this key"
                                            : provider + " limits the rate of requests")
                                    + detail.words()
                                    + asked);
            case 529 ->
                    new ModelException(
                            MODEL_ERROR, provider + " is overloaded" + detail.words() + asked);
            case 408, 504 ->
                    new ModelException(
                            MODEL_TIMEOUT, "The model did not answer in time" + detail.words());
            default ->
                    new ModelException(
                            MODEL_ERROR,
                            "%s answered with status %d%s%s"
                                    .formatted(provider, status, detail.words(), asked));
        };
    }

    /** The message of the provider may contain part of the key, so it is not repeated. */
    private String key() {
        String variable = settings.options().keyVariable();
        String where = variable == null ? "the key in the agent's model" : variable;
        return settings.apiKey() == null
                ? provider + " wants a key. Set " + where + "."
                : provider + " refuses the key. Check " + where + ".";
    }

    private static Failure repeatable(ModelException error) {
        return new Failure(error, true, false, null);
    }

    private static Failure last(ModelException.Code code, String message) {
        return new Failure(new ModelException(code, message), false, false, null);
    }
}
