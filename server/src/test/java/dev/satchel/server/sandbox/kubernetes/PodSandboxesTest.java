package dev.satchel.server.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.server.sandbox.RunnerContainer;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxProviderContract;
import dev.satchel.server.sandbox.SandboxRequest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The flow only: the mock accepts what a real API server would refuse. */
@Timeout(120)
class PodSandboxesTest extends SandboxProviderContract {
    private static final Duration LONGEST = Duration.ofHours(8);

    @TempDir Path folder;
    private MockCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new MockCluster(folder);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(cluster.pods()).isEmpty();
        cluster.close();
    }

    @Override
    protected SandboxProvider sandboxes() {
        return of("ours");
    }

    @Test
    void aPodHasNoRightsAndALastHour() throws Exception {
        try (RunningSandbox _ = sandboxes().launch(headless())) {
            Pod pod = cluster.pods().getFirst();
            Container container = pod.getSpec().getContainers().getFirst();

            assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getSpec().getActiveDeadlineSeconds()).isEqualTo(LONGEST.toSeconds());
            assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
            assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
            assertThat(container.getSecurityContext().getCapabilities().getDrop())
                    .containsExactly("ALL");
            assertThat(container.getResources().getLimits())
                    .containsOnlyKeys("memory", "cpu", "ephemeral-storage");
            assertThat(container.getSecurityContext().getSeccompProfile().getType())
                    .isEqualTo("Localhost");
            assertThat(container.getSecurityContext().getSeccompProfile().getLocalhostProfile())
                    .isEqualTo("satchel.json");
            assertThat(container.getEnvFrom().getFirst().getSecretRef().getName())
                    .isEqualTo("model-keys");
        }
    }

    @Test
    void aPodSeesItsConversationsWorkspaceAndNoOther() throws Exception {
        SandboxRequest order = order();
        try (RunningSandbox _ = sandboxes().launch(order)) {
            String conversation = java.util.Objects.requireNonNull(order.conversation()).value();

            assertThat(
                            cluster.pods()
                                    .getFirst()
                                    .getSpec()
                                    .getContainers()
                                    .getFirst()
                                    .getVolumeMounts())
                    .extracting(mount -> mount.getMountPath() + " " + mount.getSubPath())
                    .containsExactly(
                            "/data null",
                            "/data/workspaces/" + conversation + " workspaces/" + conversation);
            assertThat(folder.resolve("shared/workspaces").resolve(conversation)).isDirectory();
        }
    }

    @Test
    void thePodOfADeadOwnerIsReapedAndThatOfAnotherInstallationIsNot() throws Exception {
        RunningSandbox _ = sandboxes().launch(order()); // by a server that was killed then
        try (RunningSandbox _ = of("theirs").launch(order())) {
            sandboxes().reap(_ -> false);

            assertThat(cluster.pods())
                    .extracting(
                            pod -> pod.getMetadata().getLabels().get("dev.satchel/installation"))
                    .containsExactly("theirs");
        }
    }

    @Test
    void aClusterThatIsAwayIsAProblem() throws Exception {
        MockCluster away = new MockCluster(folder);
        SandboxProvider sandboxes =
                KubernetesSandboxProvider.pods(away.client(), settings(), "ours");
        away.close();

        assertThatThrownBy(sandboxes::probe).isInstanceOf(IOException.class);
    }

    private SandboxProvider of(String installation) {
        return KubernetesSandboxProvider.pods(cluster.client(), settings(), installation);
    }

    private KubernetesSettings settings() {
        return new KubernetesSettings(
                new RunnerContainer(
                        "satchel:1", SandboxLimits.DEFAULT, Map.of("SATCHEL_LOG_LEVEL", "INFO")),
                cluster.port(),
                "model-keys",
                new KubernetesSettings.Volume("claim", folder.resolve("shared/workspaces")),
                "satchel.json",
                LONGEST);
    }
}
