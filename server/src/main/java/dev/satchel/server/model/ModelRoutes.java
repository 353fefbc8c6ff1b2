package dev.satchel.server.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Permission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/models}: the models that a turn, an agent or a headless run may name. */
public final class ModelRoutes {
    private final ModelRegistry models;
    private final Authentication access;

    public ModelRoutes(ModelRegistry models, Authentication access) {
        this.models = models;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/models",
                access.requireCaller(
                        Permission.ANY, (exchange, _) -> exchange.json(200, All.of(models))));
    }

    /** The response. It has neither addresses nor keys. */
    record All(List<View> models) {
        static All of(ModelRegistry registry) {
            String standard = registry.standard().map(RegisteredModel::id).orElse("");
            return new All(
                    registry.models().stream()
                            .map(
                                    model ->
                                            new View(
                                                    model.id(),
                                                    model.provider().wireName(),
                                                    model.name(),
                                                    model.id().equals(standard),
                                                    model.contextTokens()))
                            .toList());
        }
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    record View(
            String id,
            String provider,
            String name,
            @JsonProperty("default") boolean isDefault,
            @Nullable Integer contextTokens) {}
}
