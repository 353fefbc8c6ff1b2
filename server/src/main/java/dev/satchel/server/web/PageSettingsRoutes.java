package dev.satchel.server.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import org.jspecify.annotations.Nullable;

/** {@code /api/settings}: what a page should know before anybody writes a message. */
public final class PageSettingsRoutes {
    private final Authentication access;
    private final Settings settings;

    public PageSettingsRoutes(Authentication access, Settings settings) {
        this.access = access;
        this.settings = settings;
    }

    public void addTo(Router router) {
        router.get("/api/settings", access.required((exchange, _) -> exchange.json(200, settings)));
    }

    /**
     * {@code runner} is {@code own}, {@code elsewhere} or {@code none}; without a model our own
     * answers by the offline agent.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Settings(String version, String runner, @Nullable Model model, Limits limits) {}

    /** The model that our own runner asks. */
    public record Model(String provider, String name) {}

    /** What a chat's files may come to. */
    public record Limits(long maxFileBytes, int maxFiles, long maxBytes) {}
}
