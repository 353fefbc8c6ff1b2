package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.sandbox.RunnerHealth;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxRemoval;
import dev.satchel.server.sandbox.SandboxRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a pod for every run in a Kubernetes cluster. */
public final class KubernetesSandboxProvider implements SandboxProvider {
    static final String INSTALLATION = "dev.satchel/installation";
    static final String RUN = "dev.satchel/run";

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesSandboxProvider.class);

    /** The cluster may have to add a node and pull the image. */
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private final KubernetesClient client;
    private final SandboxWorkload workloads;
    private final String installation;
    private final int port;

    private KubernetesSandboxProvider(
            KubernetesClient client, SandboxWorkload workloads, String installation, int port) {
        this.client = client;
        this.workloads = workloads;
        this.installation = installation;
        this.port = port;
    }

    /** Creates a pod for every run; closes the client. */
    public static KubernetesSandboxProvider pods(
            KubernetesClient client, KubernetesSettings settings, String installation) {
        return new KubernetesSandboxProvider(
                client, new SandboxPods(client, settings), installation, settings.port());
    }

    /** Claims a pod for every run from a warm pool; closes the client. */
    public static KubernetesSandboxProvider claims(
            KubernetesClient client, WarmPool pool, String installation) {
        return new KubernetesSandboxProvider(
                client, new SandboxClaims(client, pool), installation, pool.port());
    }

    @Override
    public RunningSandbox launch(SandboxRequest request) throws IOException, InterruptedException {
        String name = "satchel-" + request.run().value();
        Map<String, String> labels = Map.of(INSTALLATION, installation, RUN, request.run().value());
        try {
            String secret = workloads.create(name, labels, request);
            URI url = address(workloads.awaitAddress(name, START_LIMIT));
            RunnerHealth.await(url, START_LIMIT, () -> {});
            LOG.info("sandbox started runId={} name={}", request.run().value(), name);
            return new RunningSandbox(
                    url, secret, !workloads.sharesWorkspaces(), () -> remove(name));
        } catch (KubernetesClientException e) {
            remove(name);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while a sandbox started");
            }
            throw new SandboxFailedException(
                    "the cluster started no sandbox: " + e.getMessage(), e);
        } catch (IOException | InterruptedException | RuntimeException e) {
            remove(name);
            throw e;
        }
    }

    @Override
    public void reap(Predicate<RunId> alive) throws IOException {
        try {
            workloads
                    .findLabelled(INSTALLATION, installation)
                    .forEach((name, labels) -> reap(name, labels.getOrDefault(RUN, ""), alive));
        } catch (KubernetesClientException e) {
            throw new IOException("the cluster did not answer", e);
        }
    }

    @Override
    public void probe() throws IOException {
        reap(_ -> true); // listing needs the same permissions as launching
    }

    @Override
    public void close() {
        client.close();
    }

    private void reap(String name, String run, Predicate<RunId> alive) {
        if (!RunId.isValid(run) || !alive.test(new RunId(run))) {
            workloads.delete(name);
            LOG.warn("removed a sandbox without a run runId={}", run);
        }
    }

    /** When this fails, the pod is removed after its run has ended. */
    private void remove(String name) {
        SandboxRemoval.uninterruptibly(
                () -> {
                    try {
                        workloads.delete(name);
                    } catch (KubernetesClientException e) {
                        LOG.warn("cannot remove a sandbox name={}", name, e);
                    }
                });
    }

    private URI address(String ip) {
        return URI.create("http://" + (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + port);
    }
}
