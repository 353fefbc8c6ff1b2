package dev.satchel.server.application;

import dev.satchel.http.security.Sha256;
import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.configuration.SandboxConfiguration.Docker;
import dev.satchel.server.configuration.SandboxConfiguration.Embedded;
import dev.satchel.server.configuration.SandboxConfiguration.Kubernetes;
import dev.satchel.server.configuration.SandboxConfiguration.None;
import dev.satchel.server.configuration.SandboxConfiguration.Pods;
import dev.satchel.server.configuration.SandboxConfiguration.Remote;
import dev.satchel.server.configuration.SandboxConfiguration.Volume;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.sandbox.FixedSandboxProvider;
import dev.satchel.server.sandbox.LocalTextExtractor;
import dev.satchel.server.sandbox.NoTextExtractor;
import dev.satchel.server.sandbox.RunnerContainer;
import dev.satchel.server.sandbox.RunnerTextExtractor;
import dev.satchel.server.sandbox.RunnerVariables;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.docker.DockerSandboxProvider;
import dev.satchel.server.sandbox.docker.DockerSettings;
import dev.satchel.server.sandbox.kubernetes.KubernetesSandboxProvider;
import dev.satchel.server.sandbox.kubernetes.KubernetesSettings;
import dev.satchel.server.sandbox.kubernetes.WarmPool;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the provider of sandboxes that the configuration names. */
public final class SandboxWiring {
    private static final int LABEL_BYTES = 16;

    private final SandboxConfiguration sandbox;
    private final Path runnerDirectory;
    private final Duration longestRun;
    private final Set<String> keyVariables;
    private @Nullable AsyncEmbeddedRunner embedded;

    /** Engines end a sandbox after the longest run, even when this server has failed. */
    public SandboxWiring(Configuration configuration) {
        this.sandbox = configuration.sandbox();
        this.longestRun = configuration.runs().total();
        this.keyVariables = configuration.models().keyVariables();
        this.runnerDirectory = configuration.storage().dataDirectory().resolve("runner");
    }

    /** Starts an embedded runner in the background: it needs no database. */
    void begin(CloseStack closing) {
        if (sandbox instanceof Embedded own) {
            embedded = closing.add(new AsyncEmbeddedRunner(own.variables(), runnerDirectory));
        }
    }

    /**
     * Whether only one tenant may use this server, because a run could take the memory and the
     * processors of all others and the operator has not allowed that. Waits for an embedded runner.
     */
    boolean isForOneTenant() {
        try {
            return sandbox instanceof Embedded own
                    && !own.sharesWithoutLimits()
                    && embedded != null
                    && embedded.hasUnlimitedRuns();
        } catch (StartException e) {
            throw new IllegalStateException(e); // the server has not started either
        }
    }

    /**
     * Waits until an embedded runner has started, or is known to be unable to isolate commands.
     *
     * @throws StartException when it cannot start for another reason
     */
    void await() throws StartException {
        if (embedded != null) {
            embedded.await();
        }
    }

    /** Empty when runs cannot be started. */
    Optional<SandboxProvider> open(SigningKeyStore keys, CloseStack closing) throws StartException {
        return switch (sandbox) {
            case None _ -> Optional.empty();
            case Embedded _ ->
                    Optional.of(
                            closing.add(Objects.requireNonNull(embedded, "not begun")).sandboxes());
            case Remote remote -> Optional.of(remote(remote));
            case Docker docker -> Optional.of(docker(docker, installation(keys)));
            case Kubernetes kubernetes -> Optional.of(kubernetes(kubernetes, installation(keys)));
        };
    }

    /**
     * Reads documents with the runner that all runs share. Where each run has its own container or
     * pod, this machine reads them.
     */
    TextExtractor documents(Optional<SandboxProvider> sandboxes, CloseStack closing) {
        return switch (sandbox) {
            case None _ -> new NoTextExtractor("Documents are not read: this server has no runner");
            case Embedded _, Remote _ ->
                    closing.add(new RunnerTextExtractor(sandboxes.orElseThrow()));
            case Docker docker -> closing.add(local(docker.variables()));
            case Kubernetes kubernetes -> closing.add(local(kubernetes.variables()));
        };
    }

    private LocalTextExtractor local(Map<String, String> variables) {
        return new LocalTextExtractor(variables, runnerDirectory.resolve("documents"));
    }

    /**
     * The directory of live workspaces on this machine; empty when a runner on another machine has
     * them.
     */
    public Optional<Path> workspaces() {
        Optional<Path> shared = sandbox.sharedWorkspaces();
        return sandbox instanceof Remote
                ? shared
                : shared.or(() -> Optional.of(runnerDirectory.resolve("workspaces")));
    }

    private static SandboxProvider remote(Remote remote) {
        Secret token = remote.token();
        return new FixedSandboxProvider(remote.url(), token == null ? null : token.value());
    }

    private SandboxProvider docker(Docker docker, String installation) throws StartException {
        SandboxConfiguration.DockerEngine engine = docker.engine();
        Path workspaces = workspaces().orElseThrow();
        DockerSettings settings =
                new DockerSettings(
                        engine.socket(),
                        container(docker.image(), docker.variables()),
                        engine.network(),
                        engine.runtime(),
                        workspaces,
                        Objects.requireNonNullElse(engine.workspaces(), workspaces));
        try {
            return DockerSandboxProvider.open(settings, installation);
        } catch (IOException e) {
            throw new StartException(
                    "the Docker engine at " + engine.socket() + " cannot serve: " + e.getMessage(),
                    e);
        }
    }

    private SandboxProvider kubernetes(Kubernetes kubernetes, String installation) {
        KubernetesClient client = client(kubernetes.namespace());
        int port = KubernetesSettings.DEFAULT_PORT;
        return switch (kubernetes.pods()) {
            case Pods.Claimed(String pool, Secret token) ->
                    KubernetesSandboxProvider.claims(
                            client,
                            new WarmPool(pool, token.value(), port, longestRun),
                            installation);
            case Pods.Created created ->
                    KubernetesSandboxProvider.pods(
                            client,
                            new KubernetesSettings(
                                    container(created.image(), kubernetes.variables()),
                                    port,
                                    created.secretName(),
                                    volume(kubernetes.volume()),
                                    created.seccompProfile(),
                                    longestRun),
                            installation);
        };
    }

    /** Uses the pod's service account or the operator's kubeconfig. */
    private static KubernetesClient client(@Nullable String namespace) {
        ConfigBuilder config = new ConfigBuilder(Config.autoConfigure(null));
        if (namespace != null) {
            config.withNamespace(namespace);
        }
        return new KubernetesClientBuilder().withConfig(config.build()).build();
    }

    private static KubernetesSettings.@Nullable Volume volume(@Nullable Volume volume) {
        return volume == null
                ? null
                : new KubernetesSettings.Volume(volume.claim(), volume.workspaces());
    }

    private RunnerContainer container(String image, Map<String, String> variables) {
        return new RunnerContainer(
                image,
                RunnerConfiguration.embedded(variables, runnerDirectory, "unused").limits(),
                RunnerVariables.forContainer(variables, keyVariables));
    }

    /** A label that all servers of one database share; it reveals nothing about the key. */
    private static String installation(SigningKeyStore keys) {
        return HexFormat.of().formatHex(Sha256.of(keys.key("installation")), 0, LABEL_BYTES);
    }
}
