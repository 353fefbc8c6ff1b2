package dev.satchel.server.sandbox.docker;

import dev.satchel.http.security.Secrets;
import dev.satchel.runner.sandbox.bubblewrap.FileOwnership;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.sandbox.RunnerHealth;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxRemoval;
import dev.satchel.server.sandbox.SandboxRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Starts a container for every run with a Docker engine or podman. */
public final class DockerSandboxProvider implements SandboxProvider {
    private static final Logger LOG = LoggerFactory.getLogger(DockerSandboxProvider.class);
    private static final int ROOT = 0;

    /** The user of containers when the server runs as root. */
    private static final int SANDBOX_USER = 10_001;

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final DockerSettings settings;
    private final String installation;
    private final DockerEngine engine;
    private final ContainerSpec specification;

    private DockerSandboxProvider(
            DockerSettings settings,
            String installation,
            DockerEngine engine,
            ContainerSpec specification) {
        this.settings = settings;
        this.installation = installation;
        this.engine = engine;
        this.specification = specification;
    }

    /**
     * {@code installation} is a label that all servers of one database share. It separates their
     * containers from others on the same engine.
     */
    public static DockerSandboxProvider open(DockerSettings settings, String installation)
            throws IOException {
        DockerEngine engine = new DockerEngine(settings.socket());
        engine.requireImage(settings.container().image());
        int owner = FileOwnership.ownerOf(Files.createDirectories(settings.workspaces()));
        int user = owner == ROOT ? SANDBOX_USER : owner;
        ContainerSpec specification = new ContainerSpec(settings, user, engine.isPodman());
        return new DockerSandboxProvider(settings, installation, engine, specification);
    }

    /** Throws when no engine answers or it does not have the image. */
    public static void check(Path socket, String image) throws IOException {
        new DockerEngine(socket).requireImage(image);
    }

    @Override
    public RunningSandbox launch(SandboxRequest request) throws IOException, InterruptedException {
        long began = System.nanoTime();
        prepareWorkspace(request.conversation());
        String secret = Secrets.randomHex(32);
        int port = settings.onHostNetwork() ? freePort() : ContainerSpec.PORT;
        String name = "satchel-" + request.run().value();
        try {
            String id =
                    engine.create(name, specification.create(request, installation, secret, port));
            engine.start(id);
            URI url = URI.create("http://" + address(id) + ":" + port);
            RunnerHealth.await(url, START_LIMIT, () -> requireRunning(id));
            LOG.info(
                    "sandbox started runId={} container={} durationMs={}",
                    request.run().value(),
                    id.substring(0, 12),
                    Duration.ofNanos(System.nanoTime() - began).toMillis());
            return new RunningSandbox(url, secret, false, () -> remove(id));
        } catch (ClosedByInterruptException e) {
            remove(name); // the engine may have created it before it answered
            throw new InterruptedException("interrupted while a sandbox started");
        } catch (IOException | InterruptedException | RuntimeException e) {
            remove(name);
            throw e;
        }
    }

    @Override
    public void reap(Predicate<RunId> alive) throws IOException {
        String label = ContainerSpec.INSTALLATION + "=" + installation;
        for (DockerEngine.Container container : engine.labelled(label)) {
            String run = container.labels().getOrDefault(ContainerSpec.RUN, "");
            if (!RunId.isValid(run) || !alive.test(new RunId(run))) {
                engine.remove(container.id());
                LOG.warn("removed a sandbox without a run runId={}", run);
            }
        }
    }

    @Override
    public void probe() throws IOException {
        engine.requireImage(settings.container().image());
    }

    @Override
    public void close() {}

    private void prepareWorkspace(@Nullable ConversationId conversation) throws IOException {
        if (conversation != null) {
            Path workspace = settings.workspaces().resolve(conversation.value());
            FileOwnership.changeTree(Files.createDirectories(workspace), specification.user());
        }
    }

    /** When this fails, the container is removed after its run has ended. */
    private void remove(String id) {
        SandboxRemoval.uninterruptibly(
                () -> {
                    try {
                        engine.remove(id);
                    } catch (IOException e) {
                        LOG.warn("cannot remove a sandbox container={}", id, e);
                    }
                });
    }

    private void requireRunning(String id) throws IOException {
        if (!engine.inspect(id).path("State").path("Running").booleanValue()) {
            throw new SandboxFailedException(
                    "the runner in the sandbox ended at once: " + engine.lastOutput(id));
        }
    }

    private String address(String id) throws IOException {
        if (settings.onHostNetwork()) {
            return "127.0.0.1";
        }
        JsonNode networks = engine.inspect(id).path("NetworkSettings").path("Networks");
        for (JsonNode network : networks) {
            String address = network.path("IPAddress").stringValue("");
            if (!address.isEmpty()) {
                return address;
            }
        }
        throw new SandboxFailedException("the container has no address in " + settings.network());
    }

    /** Another process may take the port before the runner does; then the run fails. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
