package dev.satchel.runner.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A provider of models: its address, the variables of its settings, and its limits. */
public enum ModelProvider {
    ANTHROPIC(
            "anthropic",
            "Anthropic",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "claude-sonnet-4-6",
            "https://api.anthropic.com/v1"),
    OPENAI(
            "openai",
            "OpenAI",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            "gpt-5-mini",
            "https://api.openai.com/v1"),
    GEMINI(
            "gemini",
            "Gemini",
            "GEMINI_API_KEY",
            "GEMINI_BASE_URL",
            "gemini-2.5-flash",
            "https://generativelanguage.googleapis.com/v1beta/openai"),
    BEDROCK(
            "bedrock",
            "Bedrock",
            "AWS_BEARER_TOKEN_BEDROCK",
            "BEDROCK_BASE_URL",
            "us.anthropic.claude-sonnet-4-6",
            null),
    AZURE(
            "azure-openai",
            "Azure OpenAI",
            "AZURE_OPENAI_API_KEY",
            "AZURE_OPENAI_ENDPOINT",
            "gpt-5-mini",
            null),
    OLLAMA("ollama", "Ollama", "OLLAMA_API_KEY", "OLLAMA_BASE_URL", "qwen3", null);

    private final String wireName;
    private final String title;
    private final String keyVariable;
    private final String urlVariable;
    private final String defaultModel;
    private final @Nullable String defaultUrl;

    ModelProvider(
            String wireName,
            String title,
            String keyVariable,
            String urlVariable,
            String defaultModel,
            @Nullable String defaultUrl) {
        this.wireName = wireName;
        this.title = title;
        this.keyVariable = keyVariable;
        this.urlVariable = urlVariable;
        this.defaultModel = defaultModel;
        this.defaultUrl = defaultUrl;
    }

    public String defaultModel() {
        return defaultModel;
    }

    /** The name in settings and on the wire. */
    public String wireName() {
        return wireName;
    }

    /** The name in messages. */
    public String title() {
        return title;
    }

    /** The usual address; null where every account has its own. */
    @Nullable String defaultUrl() {
        return defaultUrl;
    }

    /** The variable of the runner that has the key. */
    public String keyVariable() {
        return keyVariable;
    }

    /** The variable of the runner that has another address. */
    public String urlVariable() {
        return urlVariable;
    }

    /** Whether a model at this address cannot be called without a key. */
    boolean needsKey(@Nullable String url) {
        return switch (this) {
            case ANTHROPIC, GEMINI, BEDROCK, AZURE -> true;
            case OPENAI -> url == null; // a compatible server may need none
            case OLLAMA -> false;
        };
    }

    /**
     * How many bytes an image may have before it is encoded: Anthropic takes 5 MiB of base64, the
     * others 20 MB.
     */
    int maxImageBytes() {
        return this == ANTHROPIC || this == BEDROCK ? 5 * 1024 * 1024 / 4 * 3 : 15_000_000;
    }

    /** Larger images are scaled down by the provider, so more pixels only cost time. */
    int maxImageSide() {
        return this == ANTHROPIC || this == BEDROCK ? 1_568 : 2_048;
    }

    /** Finds a provider by name; several products use the format of OpenAI. */
    public static Optional<ModelProvider> find(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT);
        return switch (wanted) {
            case "openai-compatible", "compatible", "vllm" -> Optional.of(OPENAI);
            case "azure", "azure_openai" -> Optional.of(AZURE);
            case "google" -> Optional.of(GEMINI);
            default -> Arrays.stream(values()).filter(p -> p.wireName.equals(wanted)).findFirst();
        };
    }

    /** Guesses the provider from the name of a model. */
    static ModelProvider ofModel(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("claude")) {
            return ANTHROPIC;
        }
        if (lower.startsWith("gemini")) {
            return GEMINI;
        }
        return lower.matches("([a-z]+\\.)?(anthropic|amazon|meta|mistral)\\..*") ? BEDROCK : OPENAI;
    }
}
