package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.docs.DocsRoutes;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.operations.Dependency;
import dev.satchel.server.operations.Metrics;
import dev.satchel.server.operations.OperationsRoutes;
import dev.satchel.server.operations.Readiness;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.storage.StorageRoutes;
import dev.satchel.server.storage.StorageUsage;
import dev.satchel.server.web.PageSettingsRoutes;
import dev.satchel.server.web.WebRoutes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Health, metrics, storage, the API document and the page. */
final class OperationsWiring {
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

    /** There is no such object; asking for it shows whether the store answers. */
    private static final ObjectKey PROBE_KEY = new ObjectKey("readiness/probe");

    private final CommonServices common;
    private final Configuration configuration;
    private final Metrics metrics;
    private final Optional<SandboxProvider> sandboxes;

    OperationsWiring(
            CommonServices common,
            Configuration configuration,
            Optional<SandboxProvider> sandboxes) {
        this.common = common;
        this.configuration = configuration;
        this.metrics = common.closing().add(new Metrics());
        this.sandboxes = sandboxes;
    }

    void addTo(Router router, Authentication access, Executions executions) {
        Readiness readiness = new Readiness(dependencies(), PROBE_TIMEOUT);
        new OperationsRoutes(
                        readiness,
                        metrics,
                        Application.version(),
                        executions::count,
                        common.clocks().time())
                .addTo(router);
        Duration trash = configuration.ages().retention().trash();
        new StorageRoutes(
                        new StorageUsage(common.database(), trash),
                        configuration.bags(),
                        configuration.ages().temporaryUpload(),
                        trash,
                        access)
                .addTo(router);
        new DocsRoutes().addTo(router);
        new PageSettingsRoutes(access, () -> PageSettings.of(configuration, runnerProblem()))
                .addTo(router);
        new WebRoutes().addTo(router);
    }

    Metrics metrics() {
        return metrics;
    }

    /** Why this server refuses turns, and what to change; empty when it accepts them. */
    Optional<String> runnerProblem() {
        return sandboxes.flatMap(SandboxProvider::unavailable);
    }

    private List<Dependency> dependencies() {
        List<Dependency> dependencies = new ArrayList<>();
        dependencies.add(new Dependency("database", common.database()::ping));
        dependencies.add(new Dependency("objectStore", () -> common.objects().size(PROBE_KEY)));
        sandboxes.map(this::dependency).ifPresent(dependencies::add);
        return dependencies;
    }

    /** Without an embedded runner everything but turns works, so it is optional. */
    private Dependency dependency(SandboxProvider provider) {
        return configuration.sandbox() instanceof Embedded
                ? Dependency.optional("sandbox", provider::probe)
                : new Dependency("sandbox", provider::probe);
    }
}
