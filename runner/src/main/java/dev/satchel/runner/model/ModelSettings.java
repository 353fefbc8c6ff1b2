package dev.satchel.runner.model;

import static dev.satchel.runner.model.ModelException.Code.MODEL_NOT_CONFIGURED;

import dev.satchel.protocol.RunConfig;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which model to ask, where, and with which key. */
public record ModelSettings(
        ModelProvider provider, String name, @Nullable String baseUrl, @Nullable String apiKey) {

    public ModelSettings {
        if (baseUrl != null && !isHttp(baseUrl)) {
            throw new IllegalArgumentException("not an http(s) address: " + baseUrl);
        }
        if (apiKey == null && (provider == ModelProvider.ANTHROPIC || baseUrl == null)) {
            throw new IllegalArgumentException("a key is needed for provider " + provider);
        }
        if (apiKey != null && !apiKey.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("the key contains invalid characters");
        }
    }

    /**
     * Reads the settings of the operator; empty when there is neither a key nor an endpoint.
     * Invalid values are added to {@code problems}.
     */
    public static Optional<ModelSettings> from(
            Map<String, String> environment, List<String> problems) {
        String anthropicKey = value(environment, "ANTHROPIC_API_KEY");
        String openAiKey = value(environment, "OPENAI_API_KEY");
        String openAiUrl = value(environment, "OPENAI_BASE_URL");
        String name = value(environment, "SATCHEL_MODEL");
        boolean openAi = openAiKey != null || openAiUrl != null;
        if (anthropicKey == null && !openAi) {
            return Optional.empty();
        }
        boolean anthropic =
                anthropicKey != null
                        && (!openAi
                                || name == null
                                || ModelProvider.ofModel(name) == ModelProvider.ANTHROPIC);
        String variable = anthropic ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL";
        String url = value(environment, variable);
        if (url != null && !isHttp(url)) {
            problems.add(variable + " is not an http(s) address: " + url);
            return Optional.empty();
        }
        ModelProvider provider = anthropic ? ModelProvider.ANTHROPIC : ModelProvider.OPENAI;
        try {
            return Optional.of(
                    new ModelSettings(
                            provider,
                            name == null ? provider.defaultModel() : name,
                            url,
                            anthropic ? anthropicKey : openAiKey));
        } catch (IllegalArgumentException e) {
            problems.add(provider + "_API_KEY: " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * The settings of a run, completed by those of the runner. The key of the runner is used only
     * for the endpoint of the runner: a run that names another endpoint must have its own key.
     */
    static ModelSettings resolve(RunConfig.Model wanted, @Nullable ModelSettings own)
            throws ModelException {
        ModelProvider provider = provider(wanted, own);
        boolean sameProvider = own != null && own.provider() == provider;
        String ownUrl = own != null && sameProvider ? own.baseUrl() : null;
        String url = wanted.baseUrl() != null ? wanted.baseUrl() : ownUrl;
        boolean sameEndpoint = sameProvider && Objects.equals(url, ownUrl);
        String ownKey = own != null && sameEndpoint ? own.apiKey() : null;
        String ownName = own != null && sameProvider ? own.name() : provider.defaultModel();
        try {
            return new ModelSettings(
                    provider,
                    wanted.name() != null ? wanted.name() : ownName,
                    url,
                    wanted.apiKey() != null ? wanted.apiKey() : ownKey);
        } catch (IllegalArgumentException e) {
            throw new ModelException(
                    MODEL_NOT_CONFIGURED, "The model is not set up: " + e.getMessage());
        }
    }

    @Override
    public String toString() { // without the key, which must not be logged
        return "ModelSettings[provider=" + provider + ", name=" + name + "]";
    }

    private static ModelProvider provider(RunConfig.Model wanted, @Nullable ModelSettings own)
            throws ModelException {
        String named = wanted.provider();
        if (named != null) {
            return ModelProvider.find(named)
                    .orElseThrow(
                            () ->
                                    new ModelException(
                                            MODEL_NOT_CONFIGURED,
                                            "Unknown model provider " + named + "."));
        }
        if (wanted.baseUrl() != null) {
            return ModelProvider.OPENAI;
        }
        if (own != null) {
            return own.provider();
        }
        return wanted.name() == null ? ModelProvider.OPENAI : ModelProvider.ofModel(wanted.name());
    }

    private static @Nullable String value(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    private static boolean isHttp(String url) {
        try {
            URI uri = URI.create(url);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            return web && uri.getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
