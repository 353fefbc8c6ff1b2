package dev.satchel.server.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Permission;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/settings}: what a page should know before anybody writes a message. */
public final class PageSettingsRoutes {
    private final Authentication access;
    private final Supplier<Settings> settings;

    /**
     * The settings are read for each request, since the runner starts after the routes are added.
     */
    public PageSettingsRoutes(Authentication access, Supplier<Settings> settings) {
        this.access = access;
        this.settings = settings;
    }

    public void addTo(Router router) {
        router.get(
                "/api/settings",
                access.requireCaller(
                        Permission.ANY, (exchange, _) -> exchange.json(200, settings.get())));
    }

    /**
     * {@code runner} is {@code own}, {@code elsewhere} or {@code none}; without a model our own
     * answers by the offline agent. {@code runnerProblem} is why our own runner cannot execute
     * turns, and what to change.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Settings(
            String version,
            String runner,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String runnerProblem,
            @Nullable Model model,
            Limits limits) {}

    /** The model that our own runner asks. */
    public record Model(String provider, String name) {}

    /** What a chat's files may come to. */
    public record Limits(long maxFileBytes, int maxFiles, long maxBytes) {}
}
