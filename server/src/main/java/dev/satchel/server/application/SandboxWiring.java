package dev.satchel.server.application;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.server.configuration.Configuration.Docker;
import dev.satchel.server.configuration.Configuration.Kubernetes;
import dev.satchel.server.configuration.Configuration.Sandbox;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.sandbox.FixedSandboxProvider;
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
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens what runs are dispatched to, as the operator has chosen. */
public final class SandboxWiring {
    private static final int LABEL_BYTES = 16;

    private final Sandbox sandbox;
    private final Path runnerFolder;
    private final Duration longest;
    private @Nullable AsyncEmbeddedRunner embedded;

    /** No sandbox of its own outlives the longest run, whatever becomes of us. */
    public SandboxWiring(Sandbox sandbox, Path dataFolder, Duration longest) {
        this.sandbox = sandbox;
        this.longest = longest;
        this.runnerFolder = dataFolder.resolve("runner");
    }

    /** A runner of our own needs no database, so it starts while that is opened. */
    void begin(CloseStack closing) {
        if (sandbox.inThisProcess()) {
            embedded = closing.add(new AsyncEmbeddedRunner(sandbox.variables(), runnerFolder));
        }
    }

    /**
     * Waits until a runner of our own has started, or is known to be unable to isolate commands.
     *
     * @throws StartException when it cannot start for another reason
     */
    void await() throws StartException {
        if (embedded != null) {
            embedded.await();
        }
    }

    /** Empty when there shall be none. */
    Optional<SandboxProvider> open(SigningKeyStore keys, CloseStack closing) throws StartException {
        URI url = sandbox.url();
        if (url != null) {
            Secret token = sandbox.token();
            return Optional.of(new FixedSandboxProvider(url, token == null ? null : token.value()));
        }
        return switch (sandbox.own()) {
            case NONE -> Optional.empty();
            case EMBEDDED ->
                    Optional.of(
                            closing.add(Objects.requireNonNull(embedded, "not begun")).sandboxes());
            case DOCKER -> Optional.of(docker(installation(keys)));
            case KUBERNETES -> Optional.of(kubernetes(installation(keys)));
        };
    }

    /**
     * Where we see the live workspaces, if we do. Into pods that share no volume they are carried,
     * and back when a run has ended.
     */
    public Optional<Path> workspaces() {
        return sandbox.url() == null && sandbox.workspaces() == null
                ? Optional.of(runnerFolder.resolve("workspaces"))
                : Optional.ofNullable(sandbox.workspaces());
    }

    private SandboxProvider kubernetes(String installation) {
        Kubernetes kubernetes = sandbox.containers().kubernetes();
        KubernetesClient client = client(kubernetes.namespace());
        Secret token = sandbox.token();
        if (kubernetes.warmPool() != null && token != null) {
            WarmPool pool =
                    new WarmPool(
                            kubernetes.warmPool(),
                            token.value(),
                            KubernetesSettings.USUAL_PORT,
                            longest);
            return KubernetesSandboxProvider.claims(client, pool, installation);
        }
        KubernetesSettings settings =
                new KubernetesSettings(
                        sandbox.containers().image(),
                        KubernetesSettings.USUAL_PORT,
                        kubernetes.secret(),
                        kubernetes.volumeClaim(),
                        sandbox.workspaces(),
                        runner().limits(),
                        longest,
                        RunnerVariables.of(sandbox.variables()));
        return KubernetesSandboxProvider.pods(client, settings, installation);
    }

    /** As the pod's service account or the operator's own kubeconfig says. */
    private static KubernetesClient client(String namespace) {
        ConfigBuilder config = new ConfigBuilder(Config.autoConfigure(null));
        if (!namespace.isEmpty()) {
            config.withNamespace(namespace);
        }
        return new KubernetesClientBuilder().withConfig(config.build()).build();
    }

    private RunnerConfiguration runner() {
        return RunnerConfiguration.embedded(sandbox.variables(), runnerFolder, "unused");
    }

    private SandboxProvider docker(String installation) throws StartException {
        Docker docker = sandbox.containers().docker();
        Path workspaces = workspaces().orElseThrow();
        DockerSettings settings =
                new DockerSettings(
                        docker.socket(),
                        sandbox.containers().image(),
                        docker.network(),
                        docker.runtime(),
                        workspaces,
                        Objects.requireNonNullElse(docker.workspaces(), workspaces),
                        runner().limits(),
                        RunnerVariables.of(sandbox.variables()));
        try {
            return DockerSandboxProvider.open(settings, installation);
        } catch (IOException e) {
            throw new StartException(
                    "the Docker engine at " + docker.socket() + " cannot serve: " + e.getMessage(),
                    e);
        }
    }

    /** The same for all servers of one database, and no secret. */
    private static String installation(SigningKeyStore keys) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(keys.key("installation").getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, LABEL_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
