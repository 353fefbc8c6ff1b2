package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.sandbox.SandboxRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pods of our own making, each with a secret of its own. */
final class SandboxPods implements SandboxWorkload {
    private static final Set<String> OVER = Set.of("Failed", "Succeeded");

    private final NonNamespaceOperation<Pod, PodList, PodResource> pods;
    private final PodSpecFactory plan;
    private final @Nullable Path workspaces;

    SandboxPods(KubernetesClient client, KubernetesSettings settings) {
        this.pods = client.pods().inNamespace(client.getNamespace());
        this.plan = new PodSpecFactory(settings);
        this.workspaces = settings.workspaces();
    }

    @Override
    public String create(String name, Map<String, String> labels, SandboxRequest order)
            throws IOException {
        if (workspaces != null && order.conversation() != null) { // else it would be made as root's
            Files.createDirectories(workspaces.resolve(order.conversation().value()));
        }
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        String secret = HexFormat.of().formatHex(random);
        pods.resource(plan.pod(name, labels, order.conversation(), secret)).create();
        return secret;
    }

    @Override
    public boolean shareWorkspaces() {
        return workspaces != null;
    }

    @Override
    public String awaitAddress(String name, Duration limit) throws IOException {
        Pod pod =
                pods.withName(name)
                        .waitUntilCondition(
                                SandboxPods::decided, limit.toMillis(), TimeUnit.MILLISECONDS);
        if (pod == null || over(pod)) {
            throw new SandboxFailedException("the pod " + name + " ended before its run began");
        }
        return pod.getStatus().getPodIP();
    }

    @Override
    public void delete(String name) {
        pods.withName(name).withGracePeriod(0).delete();
    }

    @Override
    public Map<String, Map<String, String>> labelled(String label, String value) {
        return pods.withLabel(label, value).list().getItems().stream()
                .collect(
                        Collectors.toMap(
                                pod -> pod.getMetadata().getName(),
                                pod -> pod.getMetadata().getLabels()));
    }

    private static boolean decided(Pod pod) {
        return pod == null
                || over(pod)
                || (pod.getStatus() != null && pod.getStatus().getPodIP() != null);
    }

    private static boolean over(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getPhase() != null
                && OVER.contains(pod.getStatus().getPhase());
    }
}
