package dev.satchel.server.application;

import dev.satchel.runner.model.ModelSettings;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration.Docker;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.configuration.SandboxConfiguration.Kubernetes;
import dev.satchel.server.configuration.SandboxConfiguration.None;
import dev.satchel.server.configuration.SandboxConfiguration.Remote;
import dev.satchel.server.web.PageSettingsRoutes;
import dev.satchel.server.web.PageSettingsRoutes.Limits;
import dev.satchel.server.web.PageSettingsRoutes.Model;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
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
                model(configuration.sandbox()),
                new Limits(bags.maxFileBytes(), bags.maxFiles(), bags.maxBagBytes()));
    }

    private static String runner(SandboxConfiguration sandbox) {
        return switch (sandbox) {
            case None _ -> "none";
            case Embedded _, Docker _, Kubernetes _ -> "own";
            case Remote _ -> "elsewhere";
        };
    }

    private static @Nullable Model model(SandboxConfiguration sandbox) {
        return switch (sandbox) {
            case None _, Remote _ -> null; // a remote runner has its own settings
            case Embedded embedded -> model(embedded.variables());
            case Docker docker -> model(docker.variables());
            case Kubernetes kubernetes -> model(kubernetes.variables());
        };
    }

    private static @Nullable Model model(Map<String, String> variables) {
        return ModelSettings.from(variables, new ArrayList<>())
                .map(
                        settings ->
                                new Model(
                                        settings.provider().name().toLowerCase(Locale.ROOT),
                                        settings.name()))
                .orElse(null);
    }
}
