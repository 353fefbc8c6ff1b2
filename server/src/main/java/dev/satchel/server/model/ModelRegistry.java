package dev.satchel.server.model;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The models that runs may name by their ids. Without any, the runner decides. It never changes, so
 * it may be shared between threads.
 */
public final class ModelRegistry {
    /** The runner uses its own settings. */
    public static final ModelRegistry EMPTY = new ModelRegistry(List.of(), null);

    private final Map<String, RegisteredModel> models = new LinkedHashMap<>();
    private final @Nullable RegisteredModel standard;

    /**
     * @param models with ids that differ, and fallbacks that are among them and form no circle
     * @param standard the id of the model of runs that name none; null for the first
     */
    public ModelRegistry(List<RegisteredModel> models, @Nullable String standard) {
        models.forEach(model -> this.models.put(model.id(), model));
        this.standard =
                standard == null
                        ? models.stream().findFirst().orElse(null)
                        : this.models.get(standard);
    }

    public Collection<RegisteredModel> models() {
        return List.copyOf(models.values());
    }

    /** The model of runs that name none; empty when there are no models. */
    public Optional<RegisteredModel> standard() {
        return Optional.ofNullable(standard);
    }

    /** The variables of the runner that have the keys. */
    public Set<String> keyVariables() {
        return models.values().stream()
                .map(RegisteredModel::apiKeyEnv)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet());
    }

    public Optional<RegisteredModel> find(String id) {
        return Optional.ofNullable(models.get(id));
    }

    /** Refuses an id that is not in the registry, with the ones that are. */
    public RegisteredModel require(String field, String id) {
        return find(id).orElseThrow(
                        () ->
                                Fields.invalid(
                                        field,
                                        "is not a model of this server: "
                                                + shown(id)
                                                + (models.isEmpty()
                                                        ? "; it has none with an id"
                                                        : "; known are "
                                                                + String.join(
                                                                        ", ", models.keySet()))));
    }

    /**
     * The model of a run as its runner receives it: one of the registry with its fallbacks when the
     * run names its id or nothing, else what the agent describes. Null when the runner decides.
     */
    public RunConfig.@Nullable Model complete(RunConfig.@Nullable Model wanted) {
        if (wanted == null) {
            return standard().map(this::config).orElse(null);
        }
        String id = wanted.id();
        if (id != null) {
            return config(require("model", id));
        }
        return named(wanted).map(this::config).orElse(wanted);
    }

    /** A description that has only a name may mean a model of the registry. */
    private Optional<RegisteredModel> named(RunConfig.Model wanted) {
        String name = wanted.name();
        return name == null
                        || wanted.provider() != null
                        || wanted.baseUrl() != null
                        || wanted.apiKey() != null
                ? Optional.empty()
                : find(name);
    }

    private RunConfig.Model config(RegisteredModel model) {
        String fallback = model.fallback();
        return new RunConfig.Model(
                model.id(),
                model.provider().wireName(),
                model.name(),
                model.baseUrl(),
                null,
                model.apiKeyEnv(),
                model.contextTokens(),
                model.maxOutputTokens(),
                model.thinking(),
                fallback == null ? null : config(require("fallback", fallback)));
    }

    private static String shown(String id) {
        return id.length() <= 80 ? id : id.substring(0, 80) + "…";
    }
}
