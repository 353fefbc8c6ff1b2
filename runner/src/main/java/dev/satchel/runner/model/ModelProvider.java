package dev.satchel.runner.model;

import java.util.Locale;
import java.util.Optional;

/** A provider of models: its wire format, its address, and the variable of its key. */
public enum ModelProvider {
    ANTHROPIC("claude-sonnet-4-6"),
    OPENAI("gpt-5-mini");

    private final String defaultModel;

    ModelProvider(String defaultModel) {
        this.defaultModel = defaultModel;
    }

    public String defaultModel() {
        return defaultModel;
    }

    /** The name in settings and on the wire. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The variable of the runner that has the key. */
    public String keyVariable() {
        return name() + "_API_KEY";
    }

    /** The variable of the runner that has another address. */
    public String urlVariable() {
        return name() + "_BASE_URL";
    }

    /**
     * How many bytes an image may have before it is encoded: Anthropic takes 5 MiB of base64, the
     * others 20 MB.
     */
    int maxImageBytes() {
        return this == ANTHROPIC ? 5 * 1024 * 1024 / 4 * 3 : 15_000_000;
    }

    /** Larger images are scaled down by the provider, so more pixels only cost time. */
    int maxImageSide() {
        return this == ANTHROPIC ? 1_568 : 2_048;
    }

    /** Finds a provider by name; several products use the format of OpenAI. */
    public static Optional<ModelProvider> find(String name) {
        return switch (name.strip().toLowerCase(Locale.ROOT)) {
            case "anthropic" -> Optional.of(ANTHROPIC);
            case "openai", "openai-compatible", "ollama", "vllm" -> Optional.of(OPENAI);
            default -> Optional.empty();
        };
    }

    /** Guesses the provider from the name of a model. */
    static ModelProvider ofModel(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith("claude") ? ANTHROPIC : OPENAI;
    }
}
