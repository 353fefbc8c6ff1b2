package dev.satchel.server.application;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Route;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.ApiKeyFile;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.Credential;
import dev.satchel.server.access.KeyRoutes;
import dev.satchel.server.access.LoginRoutes;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.Network;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.docs.DocsRoutes;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.SandboxClient;
import dev.satchel.server.idempotency.IdempotentAttempts;
import dev.satchel.server.idempotency.IdempotentWrites;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.operations.Dependency;
import dev.satchel.server.operations.Metrics;
import dev.satchel.server.operations.OperationsRoutes;
import dev.satchel.server.operations.Readiness;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.web.PageSettingsRoutes;
import dev.satchel.server.web.WebRoutes;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole server, made once and by constructors, from the ground up. Reading it from top to
 * bottom is the tour of the house.
 */
public final class Application implements AutoCloseable {
    /** How long requests in flight may go on when we are asked to stop; the rest takes seconds. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration CHECKPOINT = Duration.ofSeconds(1);

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(3);

    /** How long a repeat waits for the first answer before it is told to come again. */
    private static final Duration REPEAT_PATIENCE = Duration.ofSeconds(10);

    /** No object lies there; a store that can say so is up. */
    private static final ObjectKey PROBE_KEY = new ObjectKey("readiness/probe");

    private final Network network;
    private final SandboxWiring sandboxStart;
    private final CloseStack closing = new CloseStack();
    private final Router router = new Router();
    private final Metrics metrics;
    private final BrowserLogins logins;
    private final Optional<SandboxProvider> sandboxes;
    private final LiveWorkspaceWiring live;
    private final Executions executions;
    private final Scheduler sweeps;
    private final @Nullable ApiKeyFile keyFile;
    private @Nullable HttpServer server;

    /** {@code clock} tells the time, {@code steady} measures it and never jumps. */
    public Application(Configuration configuration, Clock clock, Clock steady)
            throws StartException {
        this.network = configuration.network();
        try {
            // Ground floor
            DataDirectory folder =
                    closing.add(DataDirectory.open(configuration.storage().dataDirectory()));
            folder.lock();
            this.sandboxStart =
                    new SandboxWiring(
                            configuration.sandbox(), folder.path(), configuration.runs().total());
            sandboxStart.begin(closing);
            Database database =
                    closing.add(DatabaseOpener.open(configuration.storage().database()));
            closing.add(new Scheduler("checkpoints")).every(CHECKPOINT, database::checkpoint);
            this.metrics = closing.add(new Metrics());

            // Access
            ApiKeys keys = new ApiKeys(database, clock);
            this.keyFile = prepareKey(keys, folder);
            this.logins = new BrowserLogins(database, clock);
            IdempotentWrites writes =
                    writes(database, configuration.ages().idempotencyKey(), clock);
            Authentication access =
                    new Authentication(keys, logins, clock, this::publicUrl, writes::once);
            new KeyRoutes(access, keys).addTo(router);
            new LoginRoutes(access, logins, this::publicUrl).addTo(router);

            // Features: each makes its services and adds its routes
            ObjectStore objects = closing.add(openObjects(configuration.storage().objects()));
            this.sweeps = closing.add(new Scheduler("sweeps"));
            this.sandboxes = sandboxStart.open(new SigningKeyStore(database), closing);
            this.live =
                    LiveWorkspaceWiring.of(
                            closing,
                            database,
                            configuration.sandbox(),
                            folder,
                            sandboxStart.workspaces(),
                            clock);
            WorkspaceWiring workspaces =
                    new WorkspaceWiring(
                            closing,
                            database,
                            objects,
                            live,
                            sweeps,
                            configuration.ages().idleWorkspace(),
                            clock);
            workspaces.addTo(router, access);
            this.executions =
                    new TurnWiring(closing, database, objects, sweeps, clock, steady)
                            .addTo(
                                    router,
                                    access,
                                    TurnWiring.Settings.of(configuration),
                                    sandboxes.map(SandboxClient::new),
                                    workspaces,
                                    live.homes(),
                                    callbackUrl(configuration.sandbox()));
            closing.add(executions);

            // Operations and docs
            List<Dependency> dependencies = dependencies(database, objects);
            sandboxes.map(it -> sandbox(configuration, it)).ifPresent(dependencies::add);
            Readiness readiness = new Readiness(dependencies, PROBE_PATIENCE);
            new OperationsRoutes(readiness, metrics, version(), executions::count, clock)
                    .addTo(router);
            new DocsRoutes().addTo(router);

            // The page
            new PageSettingsRoutes(access, () -> PageSettings.of(configuration, runnerProblem()))
                    .addTo(router);
            new WebRoutes().addTo(router);
        } catch (StartException | RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    /** Listens, once there is a runner; when that fails, everything is closed again. */
    public void start() throws StartException, InterruptedException {
        try {
            sandboxStart.await();
            HttpServer listening =
                    HttpServer.start(network.host(), network.port(), router, Json.MAPPER, metrics);
            closing.add(() -> listening.close(GRACE));
            closing.add(
                    executions); // runs settle first: that ends the streams the listener waits for
            server = listening;
            executions.nowReachable();
            live.announce(network.nodeUrl(listening.port()));
        } catch (StartException | RuntimeException e) {
            closing.close();
            throw e;
        } catch (BindException e) {
            closing.close();
            throw new StartException(cannotListen(String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            closing.close();
            throw new StartException(cannotListen("not an address of this machine"), e);
        }
    }

    /** Our address as browsers and sandboxes see it; known once we listen. */
    public URI publicUrl() {
        URI configured = network.publicUrl();
        if (configured != null) {
            return configured;
        }
        return localUrl();
    }

    /** Our address as this machine sees it: no proxy or port mapping comes between. */
    private URI localUrl() {
        if (server == null) {
            throw new IllegalStateException("not listening yet");
        }
        return network.localUrl(server.port());
    }

    /** The address that runs call; an embedded runner needs no proxy in between. */
    private Supplier<URI> callbackUrl(SandboxConfiguration sandbox) {
        return switch (sandbox) {
            case SandboxConfiguration.None _, SandboxConfiguration.Embedded _ -> this::localUrl;
            case SandboxConfiguration.Remote remote -> orPublicUrl(remote.callbackUrl());
            case SandboxConfiguration.Docker docker -> orPublicUrl(docker.callbackUrl());
            case SandboxConfiguration.Kubernetes pods -> orPublicUrl(pods.callbackUrl());
        };
    }

    private Supplier<URI> orPublicUrl(@Nullable URI configured) {
        return configured == null ? this::publicUrl : () -> configured;
    }

    /** A new address that logs one browser in, once. */
    public URI newLoginLink() {
        return LoginRoutes.address(publicUrl(), logins.newLink(TenantId.DEFAULT));
    }

    /** Why this server refuses turns, and what to change; empty when it accepts them. */
    public Optional<String> runnerProblem() {
        return sandboxes.flatMap(SandboxProvider::unavailable);
    }

    /** Where the default tenant's key lies, unless the operator has fixed one. */
    public Optional<ApiKeyFile> keyFile() {
        return Optional.ofNullable(keyFile);
    }

    /** Ends what is lost or overdue and clears away what is cleared away every hour, now. */
    public void sweep() {
        executions.sweep();
        sweeps.runAll();
    }

    public List<Route> routes() {
        return router.routes();
    }

    /** Ends requests first, then what they stand on. */
    @Override
    public void close() {
        closing.close();
    }

    public static String version() {
        String version = Application.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static ObjectStore openObjects(ObjectStoreConfiguration configuration)
            throws StartException {
        return switch (configuration) {
            case ObjectStoreConfiguration.S3(S3Settings settings) -> new S3ObjectStore(settings);
            case ObjectStoreConfiguration.Local(Path directory) -> openLocal(directory);
        };
    }

    private static ObjectStore openLocal(Path directory) throws StartException {
        try {
            return new LocalObjectStore(directory);
        } catch (IOException e) {
            throw new StartException("cannot store files in " + directory, e);
        }
    }

    /** A write may be sent again: whatever passes the door is done once for each of its keys. */
    private IdempotentWrites writes(Database database, Duration kept, Clock clock) {
        IdempotentAttempts attempts =
                new IdempotentAttempts(database, kept, new LeaseClock(database, clock));
        Scheduler scheduler = closing.add(new Scheduler("idempotency"));
        scheduler.every(Duration.ofSeconds(10), attempts::renew);
        scheduler.every(Duration.ofMinutes(10), attempts::sweep);
        return new IdempotentWrites(attempts, REPEAT_PATIENCE);
    }

    private static List<Dependency> dependencies(Database database, ObjectStore objects) {
        List<Dependency> dependencies = new ArrayList<>();
        dependencies.add(new Dependency("database", database::ping));
        dependencies.add(new Dependency("objectStore", () -> objects.size(PROBE_KEY)));
        return dependencies;
    }

    /** Without a runner of our own everything but turns works, so it is an optional dependency. */
    private static Dependency sandbox(Configuration configuration, SandboxProvider sandboxes) {
        return configuration.sandbox() instanceof SandboxConfiguration.Embedded
                ? Dependency.optional("sandbox", sandboxes::probe)
                : new Dependency("sandbox", sandboxes::probe);
    }

    private @Nullable ApiKeyFile prepareKey(ApiKeys keys, DataDirectory folder)
            throws StartException {
        if (network.apiKey() != null) {
            keys.acceptConfigured(new Credential(network.apiKey().value()));
            return null;
        }
        ApiKeyFile file = ApiKeyFile.in(folder.path());
        try {
            keys.acceptFirst(file.readOrCreate());
            return file;
        } catch (IOException e) {
            throw new StartException("cannot keep the API key in " + file.path(), e);
        }
    }

    private String cannotListen(String reason) {
        String address = network.host() + ":" + network.port();
        return reason.contains("in use")
                ? "port " + network.port() + " is already in use: choose another with --port"
                : "cannot listen on " + address + ": " + reason;
    }
}
