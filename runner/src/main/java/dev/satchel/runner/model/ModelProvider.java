package dev.satchel.runner.model;

import dev.satchel.runner.image.ImageLimits;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A provider of models: its address, the variables of its settings, and its limits. */
public enum ModelProvider {
    ANTHROPIC("anthropic", "Anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
    OPENAI("openai", "OpenAI", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    GEMINI("gemini", "Gemini", "GEMINI_API_KEY", "GEMINI_BASE_URL"),
    BEDROCK("bedrock", "Bedrock", "AWS_BEARER_TOKEN_BEDROCK", "BEDROCK_BASE_URL"),
    AZURE("azure-openai", "Azure OpenAI", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"),
    OLLAMA("ollama", "Ollama", "OLLAMA_API_KEY", "OLLAMA_HOST");

    /** What PDFs a model takes: bytes of all together before they are encoded, and pages. */
    public record PdfLimits(int maxBytes, int maxPages) {
        static final PdfLimits NONE = new PdfLimits(0, 0);
    }

    private static final Pattern OPENAI_WITH_PDF =
            Pattern.compile("(openai/)?(gpt-(4o|4\\.1|[5-9])|o[134]).*");

    private final String wireName;
    private final String title;
    private final String keyVariable;
    private final String urlVariable;

    ModelProvider(String wireName, String title, String keyVariable, String urlVariable) {
        this.wireName = wireName;
        this.title = title;
        this.keyVariable = keyVariable;
        this.urlVariable = urlVariable;
    }

    public String defaultModel() {
        return switch (this) {
            case ANTHROPIC -> "claude-sonnet-4-6";
            case OPENAI, AZURE -> "gpt-5-mini";
            case GEMINI -> "gemini-2.5-flash";
            case BEDROCK -> "us.anthropic.claude-sonnet-4-6";
            case OLLAMA -> "qwen3";
        };
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
        return switch (this) {
            case ANTHROPIC -> "https://api.anthropic.com/v1";
            case OPENAI -> "https://api.openai.com/v1";
            case GEMINI -> "https://generativelanguage.googleapis.com/v1beta/openai";
            case BEDROCK, AZURE, OLLAMA -> null;
        };
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

    /** Anthropic takes 5 MiB of base64 and 8,000 pixels a side, the others 20 MB. */
    ImageLimits imageLimits() {
        return switch (this) {
            case ANTHROPIC, BEDROCK -> new ImageLimits(5 * 1024 * 1024 / 4 * 3, 8_000, 1_568);
            case OPENAI, GEMINI, AZURE, OLLAMA ->
                    new ImageLimits(15_000_000, Integer.MAX_VALUE, 2_048);
        };
    }

    /**
     * What PDFs a model of this provider takes in one request, with room for the rest of it.
     * Servers with the format of OpenAI often have other models, which take none.
     */
    PdfLimits pdfLimits(String model) {
        return switch (this) {
            case ANTHROPIC -> new PdfLimits(20_000_000, 100);
            case BEDROCK ->
                    model.contains("anthropic.") ? new PdfLimits(10_000_000, 100) : PdfLimits.NONE;
            case OPENAI ->
                    OPENAI_WITH_PDF.matcher(model).matches()
                            ? new PdfLimits(20_000_000, 100)
                            : PdfLimits.NONE;
            case GEMINI -> new PdfLimits(13_000_000, 100);
            case AZURE, OLLAMA -> PdfLimits.NONE;
        };
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
