package dev.satchel.runner.model;

import static dev.satchel.runner.model.ModelProvider.BEDROCK;
import static dev.satchel.runner.model.ModelProvider.OLLAMA;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The models that the environment of a runner sets up: one for each provider with a key or an
 * address, the one of runs that name none first.
 *
 * @param variables the environment, for keys that a model of the registry names
 */
public record OperatorModels(List<ModelSettings> models, Map<String, String> variables) {
    public static final OperatorModels NONE = new OperatorModels(List.of(), Map.of());

    public OperatorModels {
        models = List.copyOf(models);
        variables = Map.copyOf(variables);
    }

    public static OperatorModels of(ModelSettings... models) {
        return new OperatorModels(List.of(models), Map.of());
    }

    /** Reads an environment. Invalid values are added to {@code problems}. */
    public static OperatorModels from(Map<String, String> environment, List<String> problems) {
        List<ModelProvider> setUp =
                Arrays.stream(ModelProvider.values())
                        .filter(provider -> isSetUp(provider, environment))
                        .toList();
        String name = value(environment, "SATCHEL_MODEL");
        ModelProvider standard =
                setUp.stream()
                        .filter(p -> name != null && p == ModelProvider.ofModel(name))
                        .findFirst()
                        .orElse(setUp.isEmpty() ? null : setUp.getFirst());
        List<ModelSettings> models = new ArrayList<>();
        for (ModelProvider provider : setUp) {
            boolean first = provider == standard;
            read(provider, first ? name : null, environment, problems)
                    .ifPresent(settings -> models.add(first ? 0 : models.size(), settings));
        }
        return new OperatorModels(models, environment);
    }

    /** The model of runs that name none. */
    public Optional<ModelSettings> standard() {
        return models.stream().findFirst();
    }

    /** The address and the key of a provider. */
    Optional<ModelSettings> of(ModelProvider provider) {
        return models.stream().filter(model -> model.provider() == provider).findFirst();
    }

    /** The address that the operator gives a provider; null for the usual one. */
    @Nullable String address(ModelProvider provider) {
        return of(provider)
                .map(ModelSettings::baseUrl)
                .or(() -> address(provider, variables))
                .orElse(null);
    }

    /** A variable of the environment that is set. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(value(variables, name));
    }

    @Override
    public String toString() { // without the variables, which contain keys
        return "OperatorModels" + models;
    }

    private static Optional<ModelSettings> read(
            ModelProvider provider,
            @Nullable String name,
            Map<String, String> environment,
            List<String> problems) {
        if (!isSetUp(provider, environment)) {
            return Optional.empty();
        }
        String url = address(provider, environment).orElse(null);
        if (url != null && !ModelSettings.isHttp(url)) {
            problems.add(provider.urlVariable() + " is not an http(s) address: " + url);
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ModelSettings(
                            provider,
                            name == null ? provider.defaultModel() : name,
                            url,
                            value(environment, provider.keyVariable())));
        } catch (IllegalArgumentException e) {
            problems.add(provider.keyVariable() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** An address alone is enough for a server that needs no key. */
    private static boolean isSetUp(ModelProvider provider, Map<String, String> environment) {
        String url = value(environment, provider.urlVariable());
        return value(environment, provider.keyVariable()) != null
                ? url != null || provider.defaultUrl() != null || provider == BEDROCK
                : url != null && !provider.needsKey(url);
    }

    /** Bedrock has an address in each region; that of Ollama is a host or a URL. */
    private static Optional<String> address(
            ModelProvider provider, Map<String, String> environment) {
        String url = value(environment, provider.urlVariable());
        if (url != null && provider == OLLAMA && !url.contains("://")) {
            return Optional.of("http://" + url);
        }
        if (url != null || provider != BEDROCK) {
            return Optional.ofNullable(url);
        }
        String region = value(environment, "AWS_REGION");
        return Optional.of(
                "https://bedrock-runtime.%s.amazonaws.com"
                        .formatted(region == null ? "us-east-1" : region));
    }

    private static @Nullable String value(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
