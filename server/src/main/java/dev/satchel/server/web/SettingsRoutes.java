package dev.satchel.server.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import org.jspecify.annotations.Nullable;

/** {@code /api/settings}: what the web page reads before the first message. */
public final class SettingsRoutes {
    private final Access access;
    private final Settings settings;

    public SettingsRoutes(Access access, Settings settings) {
        this.access = access;
        this.settings = settings;
    }

    public void addTo(Router router) {
        router.get("/api/settings", access.required((exchange, _) -> exchange.json(200, settings)));
    }

    /**
     * The settings of the server.
     *
     * @param runner {@code own}, {@code elsewhere} or {@code none}
     * @param model null when runs are executed elsewhere, or by the offline agent
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Settings(String version, String runner, @Nullable Model model, Limits limits) {}

    /** The model of the server's own runner. */
    public record Model(String provider, String name) {}

    /** The limits of the files of a chat. */
    public record Limits(long maxFileBytes, int maxFiles, long maxBytes) {}
}
