package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.http.security.Secrets;
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
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates a pod for every run, each with its own secret. */
final class SandboxPods implements SandboxWorkload {
    private static final Set<String> ENDED = Set.of("Failed", "Succeeded");

    private final NonNamespaceOperation<Pod, PodList, PodResource> pods;
    private final PodSpecFactory specifications;
    private final @Nullable Path workspaces;

    SandboxPods(KubernetesClient client, KubernetesSettings settings) {
        this.pods = client.pods().inNamespace(client.getNamespace());
        this.specifications = new PodSpecFactory(settings);
        this.workspaces = settings.volume() == null ? null : settings.volume().workspaces();
    }

    @Override
    public String create(String name, Map<String, String> labels, SandboxRequest request)
            throws IOException {
        if (workspaces != null
                && request.conversation() != null) { // the kubelet would create it as root
            Files.createDirectories(workspaces.resolve(request.conversation().value()));
        }
        String secret = Secrets.randomHex(32);
        pods.resource(specifications.create(name, labels, request.conversation(), secret)).create();
        return secret;
    }

    @Override
    public boolean sharesWorkspaces() {
        return workspaces != null;
    }

    @Override
    public String awaitAddress(String name, Duration limit) throws IOException {
        Pod pod =
                pods.withName(name)
                        .waitUntilCondition(
                                SandboxPods::isStartedOrEnded,
                                limit.toMillis(),
                                TimeUnit.MILLISECONDS);
        if (pod == null || isEnded(pod)) {
            throw new SandboxFailedException("the pod " + name + " ended before its run began");
        }
        return pod.getStatus().getPodIP();
    }

    @Override
    public void delete(String name) {
        pods.withName(name).withGracePeriod(0).delete();
    }

    @Override
    public Map<String, Map<String, String>> findLabelled(String label, String value) {
        return pods.withLabel(label, value).list().getItems().stream()
                .collect(
                        Collectors.toMap(
                                pod -> pod.getMetadata().getName(),
                                pod -> pod.getMetadata().getLabels()));
    }

    private static boolean isStartedOrEnded(Pod pod) {
        return pod == null
                || isEnded(pod)
                || (pod.getStatus() != null && pod.getStatus().getPodIP() != null);
    }

    private static boolean isEnded(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getPhase() != null
                && ENDED.contains(pod.getStatus().getPhase());
    }
}
