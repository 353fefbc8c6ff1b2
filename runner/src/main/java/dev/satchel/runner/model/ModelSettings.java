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
        ModelProvider provider,
        String name,
        @Nullable String baseUrl,
        @Nullable String apiKey,
        Options options) {

    private static final String OLLAMA_URL = "http://127.0.0.1:11434";

    /**
     * What the registry of the operator says of a model. A number of 0 is unknown.
     *
     * @param id the id in the registry; null for a model that the registry does not have
     * @param keyVariable the variable that has the key, for messages; null when an agent has the
     *     key
     * @param thinking {@code off}, {@code low}, {@code medium}, {@code high} or a number of tokens;
     *     null for what is usual with the provider
     * @param fallback the model that is asked when this one does not answer
     */
    public record Options(
            @Nullable String id,
            @Nullable String keyVariable,
            int contextTokens,
            int maxOutputTokens,
            @Nullable String thinking,
            @Nullable ModelSettings fallback) {
        /** Of a model that only the environment of the runner describes. */
        static Options of(ModelProvider provider) {
            return new Options(null, provider.keyVariable(), 0, 0, null, null);
        }
    }

    public ModelSettings {
        if (baseUrl != null && !isHttp(baseUrl)) {
            throw new IllegalArgumentException("not an http(s) address: " + baseUrl);
        }
        if (baseUrl == null && provider.defaultUrl() == null) {
            throw new IllegalArgumentException(
                    "%s needs an address; set %s"
                            .formatted(provider.title(), provider.urlVariable()));
        }
        if (apiKey == null && provider.needsKey(baseUrl)) {
            throw new IllegalArgumentException(
                    "%s needs a key; set %s".formatted(provider.title(), provider.keyVariable()));
        }
        if (apiKey != null && !apiKey.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("the key contains invalid characters");
        }
    }

    public ModelSettings(
            ModelProvider provider,
            String name,
            @Nullable String baseUrl,
            @Nullable String apiKey) {
        this(provider, name, baseUrl, apiKey, Options.of(provider));
    }

    /** The model of runs that name none, as {@link OperatorModels} reads it. */
    public static Optional<ModelSettings> from(
            Map<String, String> environment, List<String> problems) {
        return OperatorModels.from(environment, problems).standard();
    }

    /**
     * The settings of a run, completed by those of the runner. A key of the runner is used only for
     * the endpoint of the runner: a run that names another endpoint must have its own key, or be
     * from the registry of the operator and name a variable.
     */
    public static ModelSettings resolve(RunConfig.Model wanted, OperatorModels operator)
            throws ModelException {
        ModelProvider provider = provider(wanted, operator);
        ModelSettings own = operator.of(provider).orElse(null);
        String ownUrl = operator.address(provider);
        String url = wanted.baseUrl() != null ? wanted.baseUrl() : ownUrl;
        if (url == null && wanted.id() != null && provider == ModelProvider.OLLAMA) {
            url = OLLAMA_URL; // only the operator may mean this machine
        }
        String ownName = own == null ? provider.defaultModel() : own.name();
        RunConfig.Model fallback = wanted.fallback();
        try {
            return new ModelSettings(
                    provider,
                    wanted.name() != null ? wanted.name() : ownName,
                    url,
                    key(wanted, operator, Objects.equals(url, ownUrl) ? own : null),
                    new Options(
                            wanted.id(),
                            keyVariable(wanted, provider),
                            positive(wanted.contextTokens()),
                            positive(wanted.maxOutputTokens()),
                            wanted.thinking(),
                            fallback == null ? null : resolve(fallback, operator)));
        } catch (IllegalArgumentException e) {
            throw new ModelException(
                    MODEL_NOT_CONFIGURED, "The model is not set up: " + e.getMessage());
        }
    }

    /** Whether the operator chose the address, so that it may be in a private network. */
    boolean isFromRegistry() {
        return options.id() != null;
    }

    /** Provider and name, which say whose signatures a reply has. */
    String qualifiedName() {
        return provider.wireName() + "/" + name;
    }

    /** Whether PDFs are sent as they are. */
    boolean takesPdf() {
        return provider.pdfLimits(name).maxPages() > 0;
    }

    /** The id in the registry, else the name. */
    public String displayName() {
        return options.id() != null ? options.id() : name;
    }

    @Override
    public String toString() { // without the key, which must not be logged
        return "ModelSettings[provider=" + provider + ", name=" + name + "]";
    }

    /** For messages; null when the key is in the description of the model. */
    private static @Nullable String keyVariable(RunConfig.Model wanted, ModelProvider provider) {
        if (wanted.apiKey() != null) {
            return null;
        }
        return wanted.id() != null && wanted.apiKeyEnv() != null
                ? wanted.apiKeyEnv()
                : provider.keyVariable();
    }

    private static @Nullable String key(
            RunConfig.Model wanted, OperatorModels operator, @Nullable ModelSettings own)
            throws ModelException {
        if (wanted.apiKey() != null) {
            return wanted.apiKey();
        }
        String variable = wanted.apiKeyEnv();
        if (wanted.id() == null || variable == null) {
            return own == null ? null : own.apiKey();
        }
        return operator.variable(variable)
                .orElseThrow(
                        () ->
                                new ModelException(
                                        MODEL_NOT_CONFIGURED,
                                        "The model %s needs a key: set %s in the runner's environment."
                                                .formatted(wanted.id(), variable)));
    }

    private static ModelProvider provider(RunConfig.Model wanted, OperatorModels operator)
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
        String name = wanted.name();
        if (wanted.baseUrl() != null) {
            return ModelProvider.OPENAI;
        }
        if (name != null && operator.of(ModelProvider.ofModel(name)).isPresent()) {
            return ModelProvider.ofModel(name);
        }
        return operator.standard()
                .map(ModelSettings::provider)
                .orElse(name == null ? ModelProvider.OPENAI : ModelProvider.ofModel(name));
    }

    private static int positive(@Nullable Integer number) {
        return number == null ? 0 : Math.max(0, number);
    }

    static boolean isHttp(String url) {
        try {
            URI uri = URI.create(url);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            return web && uri.getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
