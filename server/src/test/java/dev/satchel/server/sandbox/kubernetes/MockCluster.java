package dev.satchel.server.sandbox.kubernetes;

import static java.util.Objects.requireNonNull;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.RunnerServer;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.server.testing.FreePort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * An API server that only remembers (fabric8's mock: no validation, no admission, no scheduler) and
 * a kubelet of ours beside it: every pod or claim gets a real runner at a loopback address of its
 * own, and loses it when it is deleted.
 */
final class MockCluster implements AutoCloseable {
    static final String NAMESPACE = "satchel";
    static final String POOL_SECRET = "the pool's";

    private static final ResourceDefinitionContext CLAIMS =
            new ResourceDefinitionContext.Builder()
                    .withGroup("extensions.agents.x-k8s.io")
                    .withVersion("v1beta1")
                    .withKind("SandboxClaim")
                    .withPlural("sandboxclaims")
                    .withNamespaced(true)
                    .build();

    private final KubernetesMockServer api =
            new KubernetesMockServer(
                    new Context(),
                    new MockWebServer(),
                    new HashMap<>(),
                    new KubernetesCrudDispatcher(),
                    false);
    private final Map<String, RunnerServer> runners = new ConcurrentHashMap<>();
    private final AtomicInteger addresses = new AtomicInteger(1);
    private final KubernetesClient kubelet;
    private final Path folder;
    private final int port;

    MockCluster(Path folder) throws IOException {
        this.folder = folder;
        this.port = FreePort.find();
        api.init(InetAddress.getLoopbackAddress(), 0);
        kubelet = client();
        kubelet.pods().inNamespace(NAMESPACE).watch(new Watching<>(this::podCame));
        kubelet.genericKubernetesResources(CLAIMS)
                .inNamespace(NAMESPACE)
                .watch(new Watching<>(this::claimCame));
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(
                        new ConfigBuilder()
                                .withAutoConfigure(false)
                                .withMasterUrl(address())
                                .withNamespace(NAMESPACE)
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .build();
    }

    /** Where a client finds the API server. */
    String address() {
        return "http://127.0.0.1:" + api.getPort();
    }

    /** Where every pod's runner listens. */
    int port() {
        return port;
    }

    List<Pod> pods() {
        return kubelet.pods().inNamespace(NAMESPACE).list().getItems();
    }

    List<GenericKubernetesResource> claims() {
        return kubelet.genericKubernetesResources(CLAIMS).inNamespace(NAMESPACE).list().getItems();
    }

    @Override
    public void close() {
        kubelet.close();
        runners.values().forEach(RunnerServer::close);
        api.destroy();
    }

    private void podCame(Pod pod) throws IOException, InterruptedException {
        Map<String, String> variables =
                pod.getSpec().getContainers().getFirst().getEnv().stream()
                        .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
        String address = startRunner(pod.getMetadata().getName(), variables);
        kubelet.pods()
                .resource(
                        new PodBuilder(pod)
                                .withNewStatus()
                                .withPhase("Running")
                                .withPodIP(address)
                                .endStatus()
                                .build())
                .patchStatus();
    }

    private void claimCame(GenericKubernetesResource claim)
            throws IOException, InterruptedException {
        String address =
                startRunner(
                        claim.getMetadata().getName(),
                        Map.of(
                                "SANDBOX_TOKEN",
                                POOL_SECRET,
                                "SATCHEL_PORT",
                                Integer.toString(port)));
        claim.setAdditionalProperty(
                "status", Map.of("sandbox", Map.of("podIPs", List.of(address))));
        kubelet.genericKubernetesResources(CLAIMS).resource(claim).patchStatus();
    }

    private String startRunner(String name, Map<String, String> given)
            throws IOException, InterruptedException {
        String address = "127.0.1." + addresses.getAndIncrement();
        Map<String, String> variables = new HashMap<>(given);
        variables.put("SATCHEL_HOST", address);
        variables.put("SATCHEL_DATA_DIR", folder.resolve(name).toString());
        RunnerServer runner =
                new RunnerServer(
                        RunnerConfiguration.from(variables, List.of()),
                        SandboxSetup.detect(Map.of("SATCHEL_SANDBOX", "unsafe")));
        runner.start();
        runners.put(name, runner);
        return address;
    }

    /** What is done for something new in the cluster. */
    private interface Arrival<T> {
        void came(T resource) throws IOException, InterruptedException;
    }

    private final class Watching<T extends HasMetadata> implements Watcher<T> {
        private final Arrival<T> arrival;

        Watching(Arrival<T> arrival) {
            this.arrival = arrival;
        }

        @Override
        public void eventReceived(Action action, T resource) {
            try {
                if (action == Action.ADDED) {
                    arrival.came(resource);
                } else if (action == Action.DELETED) {
                    requireNonNull(runners.remove(resource.getMetadata().getName())).close();
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onClose(WatcherException cause) {}
    }
}
