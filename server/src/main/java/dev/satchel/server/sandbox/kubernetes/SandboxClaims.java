package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.sandbox.SandboxRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Claims started pods from a warm pool of kubernetes-sigs/agent-sandbox. A claim with variables or
 * volumes never receives a started pod, so it has none: a run receives everything with its
 * dispatch.
 */
final class SandboxClaims implements SandboxWorkload {
    private static final String GROUP = "extensions.agents.x-k8s.io";
    private static final String VERSION = "v1beta1";
    private static final String KIND = "SandboxClaim";

    private final MixedOperation<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    Resource<GenericKubernetesResource>>
            claims;
    private final String namespace;
    private final WarmPool pool;

    SandboxClaims(KubernetesClient client, WarmPool pool) {
        this.claims =
                client.genericKubernetesResources(
                        new ResourceDefinitionContext.Builder()
                                .withGroup(GROUP)
                                .withVersion(VERSION)
                                .withKind(KIND)
                                .withPlural("sandboxclaims")
                                .withNamespaced(true)
                                .build());
        this.namespace = client.getNamespace();
        this.pool = pool;
    }

    @Override
    public String create(String name, Map<String, String> labels, SandboxRequest request) {
        GenericKubernetesResource claim = new GenericKubernetesResource();
        claim.setApiVersion(GROUP + "/" + VERSION);
        claim.setKind(KIND);
        claim.setMetadata(new ObjectMetaBuilder().withName(name).withLabels(labels).build());
        Instant end = Instant.now().plus(pool.longestRun()).truncatedTo(ChronoUnit.SECONDS);
        claim.setAdditionalProperty(
                "spec",
                Map.of(
                        "warmPoolRef",
                        Map.of("name", pool.name()),
                        "lifecycle",
                        Map.of("shutdownTime", end.toString(), "shutdownPolicy", "Delete")));
        claims.inNamespace(namespace).resource(claim).create();
        return pool.secret();
    }

    @Override
    public boolean sharesWorkspaces() {
        return false;
    }

    @Override
    public String awaitAddress(String name, Duration limit) throws IOException {
        GenericKubernetesResource given =
                claims.inNamespace(namespace)
                        .withName(name)
                        .waitUntilCondition(
                                claim -> claim == null || address(claim).isPresent(),
                                limit.toMillis(),
                                TimeUnit.MILLISECONDS);
        if (given == null) {
            throw new SandboxFailedException(
                    "the claim " + name + " was deleted before it received a pod");
        }
        return address(given).orElseThrow();
    }

    @Override
    public void delete(String name) {
        claims.inNamespace(namespace).withName(name).delete();
    }

    @Override
    public Map<String, Map<String, String>> findLabelled(String label, String value) {
        return claims.inNamespace(namespace).withLabel(label, value).list().getItems().stream()
                .collect(
                        Collectors.toMap(
                                claim -> claim.getMetadata().getName(),
                                claim -> claim.getMetadata().getLabels()));
    }

    private static Optional<String> address(GenericKubernetesResource claim) {
        Object addresses = claim.get("status", "sandbox", "podIPs");
        return addresses instanceof List<?> all && !all.isEmpty()
                ? Optional.of(String.valueOf(all.getFirst()))
                : Optional.empty();
    }
}
