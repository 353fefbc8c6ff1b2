package dev.satchel.server.model;

import dev.satchel.server.model.KnownModels.KnownModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry of a server without a file of models: every provider whose key or address is set
 * offers its known models. {@code SATCHEL_MODEL} names the one that runs use by default.
 */
public final class EnvironmentModels {
    private static final String OLLAMA_MODEL = "qwen3";

    private final Map<String, String> variables;
    private final List<String> problems;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final List<RegisteredModel> models = new ArrayList<>();

    /** A provider that is set up; the names of its models. */
    private record Endpoint(RegistryProvider provider, @Nullable String url, List<String> names) {}

    private EnvironmentModels(Map<String, String> variables, List<String> problems) {
        this.variables = variables;
        this.problems = problems;
    }

    /** Empty when neither a key nor an address is set; adds what is wrong to the problems. */
    public static ModelRegistry of(Map<String, String> variables, List<String> problems) {
        return new EnvironmentModels(variables, problems).read();
    }

    private ModelRegistry read() {
        findEndpoints();
        if (endpoints.isEmpty()) {
            return ModelRegistry.EMPTY;
        }
        String named = model("SATCHEL_MODEL");
        String standard = named == null ? null : add(endpointOf(named), named).id();
        for (Endpoint endpoint : endpoints) {
            endpoint.names().forEach(name -> add(endpoint, name));
        }
        return new ModelRegistry(models, standard);
    }

    private void findEndpoints() {
        withKey(RegistryProvider.ANTHROPIC, value("ANTHROPIC_BASE_URL"));
        String openAi = value("OPENAI_BASE_URL");
        if (openAi == null) {
            withKey(RegistryProvider.OPENAI, null);
        } else { // another server with the same API, whose models only the operator knows
            boolean isNamed = value("SATCHEL_MODEL") != null;
            KnownModel usual = KnownModels.of(RegistryProvider.OPENAI).getFirst();
            endpoints.add(
                    new Endpoint(
                            RegistryProvider.OPENAI,
                            openAi,
                            isNamed ? List.of() : List.of(usual.name())));
        }
        withKey(RegistryProvider.GEMINI, null);
        String azure = value("AZURE_OPENAI_ENDPOINT");
        if (azure != null && hasKey(RegistryProvider.AZURE_OPENAI)) {
            String deployment = model("AZURE_OPENAI_DEPLOYMENT");
            endpoints.add(
                    new Endpoint(
                            RegistryProvider.AZURE_OPENAI,
                            azure,
                            deployment == null
                                    ? names(RegistryProvider.OPENAI)
                                    : List.of(deployment)));
        }
        withKey(RegistryProvider.BEDROCK, null);
        String ollama = value("OLLAMA_HOST");
        if (ollama != null) {
            boolean isNamed = value("SATCHEL_MODEL") != null;
            endpoints.add(
                    new Endpoint(
                            RegistryProvider.OLLAMA,
                            ollamaUrl(ollama),
                            isNamed ? List.of() : List.of(OLLAMA_MODEL)));
        }
    }

    private void withKey(RegistryProvider provider, @Nullable String url) {
        if (hasKey(provider)) {
            endpoints.add(new Endpoint(provider, url, names(provider)));
        }
    }

    private boolean hasKey(RegistryProvider provider) {
        return value(Objects.requireNonNull(provider.keyVariable())) != null;
    }

    private static List<String> names(RegistryProvider provider) {
        return KnownModels.of(provider).stream().map(KnownModel::name).toList();
    }

    /** The provider that knows the model, else the one that its name suggests, else the first. */
    private Endpoint endpointOf(String name) {
        Optional<Endpoint> known =
                endpoints.stream().filter(endpoint -> endpoint.names().contains(name)).findFirst();
        return known.or(() -> suggestedBy(name)).orElse(endpoints.getFirst());
    }

    private Optional<Endpoint> suggestedBy(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("claude")) {
            return endpoint(RegistryProvider.ANTHROPIC);
        }
        if (lower.startsWith("gemini")) {
            return endpoint(RegistryProvider.GEMINI);
        }
        return endpoint(RegistryProvider.OPENAI).or(() -> endpoint(RegistryProvider.OLLAMA));
    }

    private Optional<Endpoint> endpoint(RegistryProvider provider) {
        return endpoints.stream().filter(endpoint -> endpoint.provider() == provider).findFirst();
    }

    /** Two providers may have a model of the same name. */
    private RegisteredModel add(Endpoint endpoint, String name) {
        RegistryProvider provider = endpoint.provider();
        for (RegisteredModel model : models) {
            if (model.provider() == provider && model.name().equals(name)) {
                return model;
            }
        }
        boolean isTaken = models.stream().anyMatch(model -> model.id().equals(name));
        String key = provider.keyVariable();
        RegisteredModel model =
                new RegisteredModel(
                        isTaken ? provider.wireName() + "/" + name : name,
                        provider,
                        name,
                        endpoint.url(),
                        key == null || value(key) == null ? null : key,
                        KnownModels.contextTokens(name).orElse(null),
                        null,
                        null,
                        null,
                        null);
        models.add(model);
        return model;
    }

    /** As the variable is written for Ollama itself: a host, or an address without a path. */
    private static String ollamaUrl(String host) {
        String url = (host.contains("://") ? host : "http://" + host).replaceAll("/+$", "");
        return url.endsWith("/v1") ? url : url + "/v1";
    }

    /** A name of a model that can be an id as well. */
    private @Nullable String model(String variable) {
        String name = value(variable);
        if (name != null && !RegisteredModel.isValidId(name)) {
            problems.add(variable + " is not the name of a model: " + name);
            return null;
        }
        return name;
    }

    private @Nullable String value(String name) {
        String value = variables.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }
}
