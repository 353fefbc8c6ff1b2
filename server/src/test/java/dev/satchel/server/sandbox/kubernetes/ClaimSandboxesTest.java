package dev.satchel.server.sandbox.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxProviderContract;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Claims on a warm pool, whose controller the mock cluster plays. */
@Timeout(120)
class ClaimSandboxesTest extends SandboxProviderContract {
    @TempDir Path folder;
    private MockCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new MockCluster(folder);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(cluster.claims()).isEmpty();
        cluster.close();
    }

    @Override
    protected SandboxProvider sandboxes() {
        return KubernetesSandboxProvider.claims(
                cluster.client(),
                new WarmPool("pool", MockCluster.POOL_SECRET, cluster.port(), Duration.ofHours(8)),
                "ours");
    }

    @Test
    void aClaimNamesItsPoolAndNothingThatWouldMakeThePodCold() throws Exception {
        try (RunningSandbox _ = sandboxes().launch(order())) {
            GenericKubernetesResource claim = cluster.claims().getFirst();
            Map<String, Object> spec = claim.get("spec");

            assertThat(spec).containsOnlyKeys("warmPoolRef", "lifecycle");
            assertThat(claim.<String>get("spec", "warmPoolRef", "name")).isEqualTo("pool");
            assertThat(claim.<String>get("spec", "lifecycle", "shutdownPolicy"))
                    .isEqualTo("Delete");
        }
    }

    @Test
    void theClaimOfADeadOwnerIsReaped() throws Exception {
        RunningSandbox _ = sandboxes().launch(order());

        sandboxes().reap(_ -> false);

        assertThat(cluster.claims()).isEmpty();
    }
}
