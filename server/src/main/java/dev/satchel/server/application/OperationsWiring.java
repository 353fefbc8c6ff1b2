package dev.satchel.server.application;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.docs.DocsRoutes;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.operations.Dependency;
import dev.satchel.server.operations.DependencyErrors;
import dev.satchel.server.operations.Metrics;
import dev.satchel.server.operations.OperationsRoutes;
import dev.satchel.server.operations.Readiness;
import dev.satchel.server.operations.ReadinessStore;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxRoutes;
import dev.satchel.server.storage.StorageRoutes;
import dev.satchel.server.storage.StorageUsage;
import dev.satchel.server.usage.UsageRoutes;
import dev.satchel.server.web.PageSettingsRoutes;
import dev.satchel.server.web.WebRoutes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Health, metrics, storage, the API document and the page. */
final class OperationsWiring {
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

    /** The routes need no credential, so this limits the writes that strangers can cause. */
    private static final Duration PROBE_VALIDITY = Duration.ofMillis(500);

    private static final Duration MAX_STALL = Duration.ofSeconds(10);
    private static final ObjectKey PROBE_KEY = new ObjectKey("readiness/probe");
    private static final byte[] PROBE_BYTES = new byte[4096];

    private final CommonServices common;
    private final Configuration configuration;
    private final Metrics metrics;
    private final Optional<SandboxProvider> sandboxes;
    private final ReadinessStore checks = new ReadinessStore();
    private @Nullable Readiness readiness;

    OperationsWiring(
            CommonServices common,
            Configuration configuration,
            Optional<SandboxProvider> sandboxes) {
        this.common = common;
        this.configuration = configuration;
        this.metrics = common.metrics();
        this.sandboxes = sandboxes;
    }

    void addTo(Router router, Authentication access, RunWiring runs) {
        router.knownFailures(DependencyErrors::of);
        Readiness checked = new Readiness(dependencies(runs.log()), PROBE_TIMEOUT, PROBE_VALIDITY);
        readiness = checked;
        new OperationsRoutes(
                        checked,
                        metrics,
                        Application.version(),
                        runs.executions()::count,
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
        new UsageRoutes(common.database(), common.stores().usage, access, common.clocks().time())
                .addTo(router);
        new SandboxRoutes(sandboxes, access).addTo(router);
        new DocsRoutes().addTo(router);
        new PageSettingsRoutes(access, () -> PageSettings.of(configuration, runnerProblem()))
                .addTo(router);
        new WebRoutes().addTo(router);
    }

    /** From now on this server is not ready. */
    void shutDown() {
        if (readiness != null) {
            readiness.shutDown();
        }
    }

    /** Why this server refuses turns, and what to change; empty when it accepts them. */
    Optional<String> runnerProblem() {
        return sandboxes.flatMap(SandboxProvider::unavailable);
    }

    /** Each is used as requests use it: by a write. */
    private List<Dependency> dependencies(RunLog log) {
        List<Dependency> dependencies = new ArrayList<>();
        dependencies.add(new Dependency("database", this::writeRow));
        dependencies.add(new Dependency("objectStore", this::writeObject));
        dependencies.add(new Dependency("disk", this::writeFile));
        dependencies.add(new Dependency("runLog", () -> requireProgress(log)));
        sandboxes.map(this::dependency).ifPresent(dependencies::add);
        return dependencies;
    }

    private void writeRow() {
        long now = common.clocks().time().millis();
        common.database().change(tx -> checks.write(tx, UUID.randomUUID().toString(), now));
    }

    /** Several servers may do this at the same time: each put and each delete succeeds. */
    private void writeObject() throws IOException {
        common.objects().put(PROBE_KEY, new ByteArrayInputStream(PROBE_BYTES));
        common.objects().delete(PROBE_KEY);
    }

    private void writeFile() throws IOException {
        common.disk().require();
        Path file = configuration.storage().dataDirectory().resolve(".readiness");
        try {
            Files.write(file, PROBE_BYTES, CREATE, TRUNCATE_EXISTING, WRITE, DSYNC);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void requireProgress(RunLog log) {
        Duration stalled = log.stalledFor();
        if (stalled.compareTo(MAX_STALL) > 0) {
            throw new IllegalStateException("the log has made no progress for " + stalled);
        }
    }

    /** Without an embedded runner everything but turns works, so it is optional. */
    private Dependency dependency(SandboxProvider provider) {
        return configuration.sandbox() instanceof Embedded
                ? Dependency.optional("sandbox", provider::probe)
                : new Dependency("sandbox", provider::probe);
    }
}
