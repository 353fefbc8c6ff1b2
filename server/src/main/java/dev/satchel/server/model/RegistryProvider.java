package dev.satchel.server.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who answers for a model, and the variable that usually has the key. */
public enum RegistryProvider {
    ANTHROPIC("anthropic", "ANTHROPIC_API_KEY"),
    OPENAI("openai", "OPENAI_API_KEY"),
    GEMINI("gemini", "GEMINI_API_KEY"),
    AZURE_OPENAI("azure-openai", "AZURE_OPENAI_API_KEY"),
    BEDROCK("bedrock", "AWS_BEARER_TOKEN_BEDROCK"),
    OLLAMA("ollama", null),
    OPENAI_COMPATIBLE("openai-compatible", null);

    private final String wireName;
    private final @Nullable String keyVariable;

    RegistryProvider(String wireName, @Nullable String keyVariable) {
        this.wireName = wireName;
        this.keyVariable = keyVariable;
    }

    public String wireName() {
        return wireName;
    }

    /** Null when a key is not usual. */
    @Nullable String keyVariable() {
        return keyVariable;
    }

    /** There is no usual address: each customer has another one. */
    boolean needsBaseUrl() {
        return this == AZURE_OPENAI || this == OPENAI_COMPATIBLE;
    }

    static Optional<RegistryProvider> find(String wireName) {
        return Stream.of(values())
                .filter(provider -> provider.wireName.equals(wireName))
                .findFirst();
    }

    static List<String> names() {
        return Stream.of(values()).map(RegistryProvider::wireName).toList();
    }
}
