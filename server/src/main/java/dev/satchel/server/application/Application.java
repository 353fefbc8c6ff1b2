package dev.satchel.server.application;

import dev.satchel.http.HttpServer;
import dev.satchel.http.RequestObserver;
import dev.satchel.http.Route;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.Network;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.SandboxClient;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.schedule.Sweeps;
import dev.satchel.server.user.ApiKeyFile;
import dev.satchel.server.user.LoginRoutes;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server. Its constructor creates every object once, from the database up to the page; each
 * wiring class does so for one group of packages.
 */
public final class Application implements AutoCloseable {
    /** How long requests may continue when the server stops. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final Duration VACUUM = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(Application.class);

    private final Network network;
    private final Duration drain;
    private final CloseStack closing = new CloseStack();
    private final Router router = new Router();
    private final SandboxWiring sandbox;
    private final LiveWorkspaceWiring live;
    private final OperationsWiring operations;
    private final RequestObserver requests;
    private final ApiKeys keys;
    private final BrowserLogins logins;
    private final Executions executions;
    private final ConversationWiring conversations;
    private final AssetWiring assets;
    private final Sweeps sweeps;
    private final Optional<ApiKeyFile> keyFile;
    private @Nullable HttpServer server;

    /** {@code clock} is for timestamps; {@code steady} measures durations and never jumps. */
    public Application(Configuration configuration, Clock clock, Clock steady)
            throws StartException {
        this.network = configuration.network();
        this.drain = configuration.runs().drain();
        try {
            Path directory = configuration.storage().dataDirectory();
            DataDirectory data = closing.add(DataDirectory.open(directory));
            data.lock();
            this.sandbox = new SandboxWiring(configuration);
            sandbox.begin(closing); // an embedded runner starts while the database is opened

            CommonServices common =
                    CommonServices.open(
                            configuration.storage(),
                            configuration.limits(),
                            configuration.monitoring(),
                            clock,
                            steady,
                            closing);
            this.sweeps = common.sweeps();
            this.requests = common.requests();

            AccessWiring access =
                    new AccessWiring(
                            common,
                            configuration.ages().idempotencyKey(),
                            this::publicUrl,
                            sandbox::isForOneTenant,
                            network.http().proxies());
            this.keys = access.keys();
            this.keyFile = access.acceptKey(network.apiKey(), directory);
            this.logins = access.logins();

            Optional<SandboxProvider> sandboxes = sandbox.open(common.stores().keys, closing);
            TextExtractor documents = sandbox.documents(sandboxes, closing);
            this.operations = new OperationsWiring(common, configuration, sandboxes);
            this.live =
                    new LiveWorkspaceWiring(
                            common, configuration.sandbox(), data, sandbox.workspaces());
            WorkspaceWiring workspaces =
                    new WorkspaceWiring(
                            common,
                            live,
                            configuration.ages().idleWorkspace(),
                            configuration.workspaces());
            RunWiring runs =
                    new RunWiring(
                            common,
                            configuration,
                            sandboxes.map(SandboxClient::new),
                            workspaces,
                            live.homes(),
                            callbackUrl(configuration.sandbox()));
            this.executions = closing.add(runs.executions());
            UploadWiring uploads =
                    new UploadWiring(
                            common, configuration.bags(), configuration.ages().temporaryUpload());
            this.conversations =
                    new ConversationWiring(
                            common, runs, uploads, workspaces, configuration.models());
            SessionWiring sessions = new SessionWiring(common, runs, conversations, workspaces);
            CredentialWiring credentials =
                    new CredentialWiring(
                            common,
                            configuration.storage(),
                            configuration.reachableHosts(),
                            this::publicUrl);
            this.assets = new AssetWiring(common, configuration, documents, uploads.deletions());
            McpWiring mcp =
                    new McpWiring(
                            common,
                            assets.assets(),
                            workspaces.manager(),
                            documents,
                            configuration.ages());
            AgentServerWiring agentServer =
                    new AgentServerWiring(common, runs, uploads, conversations, workspaces, mcp);
            agentServer.sweep(configuration.ages().retention());

            Authentication authentication = access.authentication();
            HeadlessRunWiring headlessRuns =
                    new HeadlessRunWiring(
                            common,
                            runs,
                            uploads,
                            conversations,
                            assets.assets(),
                            agentServer.deletion());
            access.addTo(
                    router,
                    agentServer.removal(),
                    configuration.oidc(),
                    configuration.reachableHosts());
            workspaces.addTo(router, authentication, assets.unindexedTexts());
            RunFileRoutes runFiles = runs.addTo(router, authentication);
            BagRoutes chatFiles = conversations.addTo(router, authentication, this::publicUrl);
            uploads.addTo(router, authentication, runs.bags(), conversations.chats());
            runs.skills().addTo(router, authentication, runs.callbacks());
            credentials.addTo(router, authentication, conversations.agents(), runs.callbacks());
            sessions.addTo(router, authentication, this::publicUrl);
            assets.addTo(router, authentication, runs, chatFiles, runFiles);
            mcp.addTo(router, authentication, runs, conversations.chats());
            agentServer.addTo(router, authentication);
            headlessRuns.addTo(router, authentication);
            operations.addTo(router, authentication, runs);
            sweeps.every(VACUUM, common.database()::vacuum); // after all other clean-up
        } catch (StartException | RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    /** Listens as soon as the runner has started; closes everything when that fails. */
    public void start() throws StartException, InterruptedException {
        try {
            sandbox.await();
            requireFairTenants();
            HttpServer listening =
                    HttpServer.start(
                            network.host(),
                            network.port(),
                            router,
                            Json.MAPPER,
                            requests,
                            network.http());
            closing.add(() -> listening.close(GRACE));
            closing.add(executions); // closed first: that ends the streams of the listener
            server = listening;
            executions.nowReachable();
            conversations.startQueuedTurns();
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

    private void requireFairTenants() throws StartException {
        Optional<String> problem = keys.sharingProblem();
        if (problem.isPresent()) {
            throw new StartException(problem.get());
        }
        if (sandbox.isForOneTenant()) {
            LOG.warn("no control group limits runs, so a second tenant is refused");
        }
    }

    /** The address for browsers; available when the server listens. */
    public URI publicUrl() {
        URI configured = network.publicUrl();
        if (configured != null) {
            return configured;
        }
        return localUrl();
    }

    /** The address on this machine, without a proxy or port mapping. */
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

    /** A new address that logs in one browser, once. */
    public URI newLoginLink() {
        return LoginRoutes.address(publicUrl(), logins.newLink(Caller.owner(TenantId.DEFAULT)));
    }

    /** Why this server refuses turns, and what to change; empty when it accepts them. */
    public Optional<String> runnerProblem() {
        return operations.runnerProblem();
    }

    /** The file with the default tenant's key; empty when the key is configured. */
    public Optional<ApiKeyFile> keyFile() {
        return keyFile;
    }

    /** Runs all periodic clean-up now. */
    public void sweep() {
        executions.sweep();
        conversations.sweepQueues();
        sweeps.runAll();
        assets.indexNow();
    }

    public List<Route> routes() {
        return router.routes();
    }

    /** Refuses new turns, is not ready, and waits for the active ones as long as configured. */
    public void drain() {
        operations.shutDown();
        executions.drain(drain);
    }

    /** Ends requests first, then the services that they use. */
    @Override
    public void close() {
        closing.close();
    }

    public static String version() {
        String version = Application.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private String cannotListen(String reason) {
        String address = network.host() + ":" + network.port();
        return reason.contains("in use")
                ? "port " + network.port() + " is already in use: choose another with --port"
                : "cannot listen on " + address + ": " + reason;
    }
}
