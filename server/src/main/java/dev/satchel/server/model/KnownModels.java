package dev.satchel.server.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Models that need no description: their names and how many tokens they take. */
final class KnownModels {
    private static final int CLAUDE = 200_000;
    private static final int GPT_5 = 400_000;
    private static final int MILLION = 1_048_576;

    /** The usual one of each provider comes first. */
    private static final Map<RegistryProvider, List<KnownModel>> BY_PROVIDER =
            Map.of(
                    RegistryProvider.ANTHROPIC,
                    List.of(
                            new KnownModel("claude-sonnet-4-6", CLAUDE),
                            new KnownModel("claude-opus-4-6", CLAUDE),
                            new KnownModel("claude-haiku-4-5", CLAUDE)),
                    RegistryProvider.OPENAI,
                    List.of(
                            new KnownModel("gpt-5-mini", GPT_5),
                            new KnownModel("gpt-5", GPT_5),
                            new KnownModel("gpt-5-nano", GPT_5)),
                    RegistryProvider.GEMINI,
                    List.of(
                            new KnownModel("gemini-2.5-flash", MILLION),
                            new KnownModel("gemini-2.5-pro", MILLION)),
                    RegistryProvider.BEDROCK,
                    List.of(
                            new KnownModel("us.anthropic.claude-sonnet-4-5-20250929-v1:0", CLAUDE),
                            new KnownModel("openai.gpt-oss-120b-1:0", 128_000)));

    private KnownModels() {}

    record KnownModel(String name, int contextTokens) {}

    static List<KnownModel> of(RegistryProvider provider) {
        return BY_PROVIDER.getOrDefault(provider, List.of());
    }

    /** How many tokens a model with this name takes, at any provider. */
    static Optional<Integer> contextTokens(String name) {
        return BY_PROVIDER.values().stream()
                .flatMap(List::stream)
                .filter(model -> model.name().equals(name))
                .map(KnownModel::contextTokens)
                .findFirst();
    }
}
