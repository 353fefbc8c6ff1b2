package dev.satchel.server.sandbox.docker;

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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** A container for every run, made and removed by a Docker engine or by podman. */
public final class DockerSandboxProvider implements SandboxProvider {
    private static final Logger LOG = LoggerFactory.getLogger(DockerSandboxProvider.class);
    private static final int ROOT = 0;

    /** A container runs as our own user, but never as root. */
    private static final int SANDBOX_USER = 10_001;

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final DockerSettings settings;
    private final String installation;
    private final DockerEngine engine;
    private final ContainerSpec plan;

    private DockerSandboxProvider(
            DockerSettings settings, String installation, DockerEngine engine, ContainerSpec plan) {
        this.settings = settings;
        this.installation = installation;
        this.engine = engine;
        this.plan = plan;
    }

    /**
     * {@code installation} is what all servers of one database share: it tells our containers from
     * those of others on the same engine.
     */
    public static DockerSandboxProvider open(DockerSettings settings, String installation)
            throws IOException {
        DockerEngine engine = new DockerEngine(settings.socket());
        engine.requireImage(settings.image());
        int owner = FileOwnership.of(Files.createDirectories(settings.workspaces()));
        int user = owner == ROOT ? SANDBOX_USER : owner;
        ContainerSpec plan = new ContainerSpec(settings, user, engine.isPodman());
        return new DockerSandboxProvider(settings, installation, engine, plan);
    }

    /** Returns when an engine answers and has the image, throws when not. */
    public static void check(Path socket, String image) throws IOException {
        new DockerEngine(socket).requireImage(image);
    }

    @Override
    public RunningSandbox launch(SandboxRequest order) throws IOException, InterruptedException {
        long began = System.nanoTime();
        prepareWorkspace(order.conversation());
        String secret = newSecret();
        int port = settings.onHostNetwork() ? freePort() : ContainerSpec.PORT;
        String name = "satchel-" + order.run().value();
        try {
            String id = engine.create(name, plan.of(order, installation, secret, port));
            engine.start(id);
            URI url = URI.create("http://" + address(id) + ":" + port);
            RunnerHealth.await(url, START_LIMIT, () -> requireRunning(id));
            LOG.info(
                    "sandbox started runId={} container={} durationMs={}",
                    order.run().value(),
                    id.substring(0, 12),
                    Duration.ofNanos(System.nanoTime() - began).toMillis());
            return new RunningSandbox(url, secret, false, () -> remove(id));
        } catch (ClosedByInterruptException e) {
            remove(name); // an engine may have made it without having said so
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
                LOG.warn("reaped a sandbox without an owner runId={}", run);
            }
        }
    }

    @Override
    public void probe() throws IOException {
        engine.requireImage(settings.image());
    }

    @Override
    public void close() {}

    private void prepareWorkspace(@Nullable ConversationId conversation) throws IOException {
        if (conversation != null) {
            Path workspace = settings.workspaces().resolve(conversation.value());
            FileOwnership.give(Files.createDirectories(workspace), plan.user());
        }
    }

    /** Failing costs nothing but time: what is left is reaped once the run has ended. */
    private void remove(String id) {
        SandboxRemoval.undisturbed(
                () -> {
                    try {
                        engine.remove(id);
                    } catch (IOException e) {
                        LOG.warn("a sandbox could not be removed container={}", id, e);
                    }
                });
    }

    private void requireRunning(String id) throws IOException {
        if (!engine.inspect(id).path("State").path("Running").booleanValue()) {
            throw new SandboxFailedException(
                    "the sandbox's runner ended at once: " + engine.lastWords(id));
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

    /** Somebody may take it before the runner does; then that run fails, and says so. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String newSecret() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
