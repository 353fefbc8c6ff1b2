package dev.satchel.runner.model;

import java.util.Locale;
import java.util.Optional;

/** The wire format of an endpoint. */
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
