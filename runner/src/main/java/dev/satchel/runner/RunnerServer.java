package dev.satchel.runner;

import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.SharedSecret;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.outbound.EgressProxy;
import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.protocol.Json;
import dev.satchel.runner.agent.AgentLoop;
import dev.satchel.runner.agent.OfflineAgent;
import dev.satchel.runner.document.SandboxedDocuments;
import dev.satchel.runner.document.SandboxedExtractor;
import dev.satchel.runner.model.ModelFactory;
import dev.satchel.runner.run.AgentSelector;
import dev.satchel.runner.run.RunExecutor;
import dev.satchel.runner.run.RunWorkspaces;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.skill.SkillCache;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.grep.Ripgrep;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of a runner. Closing it ends all its runs. */
public final class RunnerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunnerServer.class);
    private static final Duration RUNS_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(1);

    private final RunnerConfiguration configuration;
    private final OutboundHttpClient client = new OutboundHttpClient();
    private final EgressProxy proxy;
    private final OutboundHttpClient proxied;
    private final ActiveRuns active;
    private final SandboxedExtractor documents;
    private final Router router;
    private final boolean limitsRuns;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable HttpServer http;

    /** Creates the runner's directories; it listens only after {@link #start}. */
    public RunnerServer(RunnerConfiguration configuration, SandboxFactory sandboxes)
            throws IOException {
        this(configuration, sandboxes, new OfflineAgent());
    }

    /** {@code offline} is the agent of runs without a model. */
    RunnerServer(RunnerConfiguration configuration, SandboxFactory sandboxes, AgentLoop offline)
            throws IOException {
        this.configuration = configuration;
        this.limitsRuns = sandboxes.limitsRuns();
        this.active = new ActiveRuns(configuration.maxRuns());
        this.proxy = EgressProxy.openOnLoopback(configuration.reachableHosts()::resolve);
        this.proxied = new OutboundHttpClient(proxy.address());
        ModelFactory models =
                new ModelFactory(
                        configuration.models().operator(),
                        configuration.models().timeout(),
                        client,
                        proxied,
                        configuration.reachableHosts(),
                        configuration.models().retries());
        this.documents =
                new SandboxedExtractor(
                        sandboxes,
                        configuration.dataDir().toAbsolutePath().resolve("documents"),
                        configuration.documents());
        RunExecutor runs =
                new RunExecutor(
                        new RunExecutor.Places(
                                new RunWorkspaces(configuration.dataDir()),
                                new SkillCache(
                                        configuration.dataDir(), configuration.skillCacheBytes())),
                        sandboxes,
                        configuration.limits(),
                        Toolset.standard(
                                Ripgrep.find(sandboxes.root()), new SandboxedDocuments(documents)),
                        new AgentSelector(models, offline, configuration.loop()),
                        client);
        SharedSecret secret = new SharedSecret(configuration.listener().secret());
        WorkspaceDirectories directories = workspaces(configuration.dataDir());
        this.router =
                new Router()
                        .post("/stream", new StreamHandler(secret, active, runs))
                        .get("/health", exchange -> exchange.json(200, health()));
        new WorkspaceRoutes(directories, secret).addTo(router);
        new SandboxContentsRoute(sandboxes, configuration.dataDir(), secret).addTo(router);
        new ExtractRoute(documents, configuration.documents().maxBytes(), secret).addTo(router);
        sandboxes.warning().ifPresent(warning -> LOG.warn("{}", warning));
    }

    public void start() throws IOException, InterruptedException {
        http =
                HttpServer.start(
                        configuration.listener().host(),
                        configuration.listener().port(),
                        router,
                        Json.MAPPER,
                        new GivenTraces(),
                        HttpOptions.WITH_CLEARTEXT_HTTP2); // many runs share a connection
        LOG.info("runner listens host={} port={}", configuration.listener().host(), port());
    }

    /** Whether the resources of a whole run are limited. */
    public boolean limitsRuns() {
        return limitsRuns;
    }

    public int port() {
        if (http == null) {
            throw new IllegalStateException("the runner has not been started");
        }
        return http.port();
    }

    @Override
    public void close() {
        try {
            if (!active.close(RUNS_TIMEOUT)) {
                LOG.error("runs did not end in time runs={}", active.count());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (http != null && !closed.getAndSet(true)) {
            http.close(FLUSH_TIMEOUT); // the last lines of cancelled runs are being sent
        }
        client.close();
        proxied.close();
        try {
            documents.close();
            proxy.close();
        } catch (IOException e) {
            LOG.warn("cannot close the proxy for models, or remove temporary files", e);
        }
    }

    private Map<String, Object> health() {
        return Map.of(
                "status",
                "ok",
                "runs",
                active.count(),
                "maxRuns",
                configuration.maxRuns(),
                "workspaces",
                true);
    }

    /** The directories that {@link RunWorkspaces} opens for runs. */
    private static WorkspaceDirectories workspaces(Path dataDir) throws IOException {
        WorkspaceDirectories directories =
                new WorkspaceDirectories(dataDir.toAbsolutePath().resolve("workspaces"), "runner");
        directories.clear();
        return directories;
    }
}
