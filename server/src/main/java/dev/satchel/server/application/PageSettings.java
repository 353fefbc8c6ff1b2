package dev.satchel.server.application;

import dev.satchel.runner.model.ModelSettings;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.RunnerChoice;
import dev.satchel.server.web.PageSettingsRoutes;
import dev.satchel.server.web.PageSettingsRoutes.Limits;
import dev.satchel.server.web.PageSettingsRoutes.Model;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the page is told of the configuration: enough to say what works, and no secret. */
final class PageSettings {
    private PageSettings() {}

    /** {@code problem} is why our own runner cannot execute turns. */
    static PageSettingsRoutes.Settings of(Configuration configuration, Optional<String> problem) {
        Configuration.BagLimits bags = configuration.bags();
        return new PageSettingsRoutes.Settings(
                Application.version(),
                problem.isPresent() ? "none" : runner(configuration.sandbox()),
                problem.orElse(null),
                model(configuration.sandbox()),
                new Limits(bags.maxFileBytes(), bags.maxFiles(), bags.maxBytes()));
    }

    private static String runner(Configuration.Sandbox sandbox) {
        if (sandbox.url() != null) {
            return "elsewhere";
        }
        return sandbox.own() == RunnerChoice.NONE ? "none" : "own";
    }

    /** A runner elsewhere has settings of its own, which we do not know. */
    private static @Nullable Model model(Configuration.Sandbox sandbox) {
        if (!runner(sandbox).equals("own")) {
            return null;
        }
        return ModelSettings.from(sandbox.variables(), new ArrayList<>())
                .map(
                        settings ->
                                new Model(
                                        settings.provider().name().toLowerCase(Locale.ROOT),
                                        settings.name()))
                .orElse(null);
    }
}
