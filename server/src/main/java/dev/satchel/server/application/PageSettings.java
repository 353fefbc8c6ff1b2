package dev.satchel.server.application;

import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration.Docker;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.configuration.SandboxConfiguration.Kubernetes;
import dev.satchel.server.configuration.SandboxConfiguration.None;
import dev.satchel.server.configuration.SandboxConfiguration.Remote;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.web.PageSettingsRoutes;
import dev.satchel.server.web.PageSettingsRoutes.Limits;
import dev.satchel.server.web.PageSettingsRoutes.Model;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of the configuration that the page shows. It contains no secret. */
final class PageSettings {
    private PageSettings() {}

    /** {@code problem} is why our own runner cannot execute turns. */
    static PageSettingsRoutes.Settings of(Configuration configuration, Optional<String> problem) {
        BagLimits bags = configuration.bags();
        return new PageSettingsRoutes.Settings(
                Application.version(),
                problem.isPresent() ? "none" : runner(configuration.sandbox()),
                problem.orElse(null),
                model(configuration.models()),
                new Limits(bags.maxFileBytes(), bags.maxFiles(), bags.maxBagBytes()));
    }

    private static String runner(SandboxConfiguration sandbox) {
        return switch (sandbox) {
            case None _ -> "none";
            case Embedded _, Docker _, Kubernetes _ -> "own";
            case Remote _ -> "elsewhere";
        };
    }

    /** The one that runs use by default. */
    private static @Nullable Model model(ModelRegistry models) {
        return models.standard()
                .map(model -> new Model(model.provider().wireName(), model.name()))
                .orElse(null);
    }
}
